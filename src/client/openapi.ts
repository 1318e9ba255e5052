/** The management API as types, made of its OpenAPI document by `npm run docs`: do not edit. */
export interface paths {
    "/_api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The lines of the audit log, newest first. limit: 50 by default, at most 500.
         * @description Action: `audit.read`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The access policies of all flows, sorted by the flow's id, also of flows that do not exist.
         * @description Action: `policies.read`.
         */
        get: operations["listPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/auth/{flowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The flow's access policy as it was sent, without its secrets.
         * @description Action: `policies.read`.
         */
        get: operations["getPolicy"];
        /**
         * Installs or replaces the flow's access policy; in force when it is answered. The flow need not exist. strict=true refuses what has warnings.
         * @description Action: `policies.write`.
         */
        put: operations["putPolicy"];
        post?: never;
        /**
         * Removes the flow's access policy: from then on everybody may call its HTTP triggers.
         * @description Action: `policies.write`.
         */
        delete: operations["deletePolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/auth/{flowId}/can": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the flow's access policy would decide about a caller, and why.
         * @description Action: `policies.read`.
         */
        post: operations["explainPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An archive of flows, revisions, mappings, policies, the state of flows and the audit log, for bulkhead restore; without secrets, FILES_DIR and, unless dataKey asks for it, the key of stored messages.
         * @description Action: `runtime.backup`.
         */
        get: operations["getBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Steps, components, languages, data formats, elements, kamelets and kinds of connections, with docs, examples and option schemas.
         * @description Action: `runtime.read`.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/connection-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The names of the secrets of named connections, sorted. Values are never answered.
         * @description Action: `secrets.read`.
         */
        get: operations["listConnectionSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The connections, sorted by name, with their states.
         * @description Action: `connections.read`.
         */
        get: operations["listConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/connections/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document as it was sent, with its state and its users; its revision as X-Revision.
         * @description Action: `connections.read`.
         */
        get: operations["getConnection"];
        /**
         * Installs or replaces a connection; answered when every flow that uses it has it. Open connections with other settings are closed when nobody uses them.
         * @description Action: `connections.write`.
         */
        put: operations["putConnection"];
        post?: never;
        /**
         * Removes a connection that no flow uses; force=true: stops the routes that use it, and removes it.
         * @description Action: `connections.write`.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/connections/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connects to the server from a thread, as flows do, and asks it for its version; with a document that one is tried, and is not kept.
         * @description Action: `connections.test`.
         */
        post: operations["testConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploys flows, mappings, policies and connections together, all or none. dryRun=true: answers what would change, with diffs; prune=true: removes what an earlier deployment of the set brought and this one does not have (with keep=state its flows' state stays); strict=true: refuses mappings and policies with warnings.
         * @description Action: `flows.write`.
         */
        post: operations["deploySet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages whose run has failed and whose sender was not notified, newest first. limit: 50 by default, at most 500.
         * @description Action: `failed.list`.
         */
        get: operations["listFailed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/failed/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One failed message as it entered its route, redacted for reading. The audit log records who has read it.
         * @description Action: `failed.read`.
         */
        get: operations["getFailed"];
        put?: never;
        post?: never;
        /**
         * Discards a failed message that waits: its content is removed.
         * @description Action: `failed.discard`.
         */
        delete: operations["discardFailed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/failed/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a run with the message in the current revision of its flow; headers and body, if any are sent, replace those of the message. wait=true answers at its end.
         * @description Action: `failed.retry`.
         */
        post: operations["retryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/failed/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discards all failed messages that wait and match.
         * @description Action: `failed.discard`.
         */
        post: operations["discardManyFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/failed/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retries all failed messages that wait and match, the oldest first and at the pace of their flows, whose other runs go first.
         * @description Action: `failed.retry`.
         */
        post: operations["retryManyFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flow-schema.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema of a flow document.
         * @description Action: `runtime.read`.
         */
        get: operations["getFlowSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The YAML files of the routes directory, sorted by id; with usage=true what each flow has and has used.
         * @description Action: `flows.read`.
         */
        get: operations["listFlows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One flow; with Accept: application/yaml its file.
         * @description Action: `flows.read`.
         */
        get: operations["getFlow"];
        /**
         * Installs or replaces a flow; answered when its new routes serve. Options that are left out stay as they are, null removes one.
         * @description Action: `flows.write`.
         */
        put: operations["putFlow"];
        post?: never;
        /**
         * Stops and removes the flow's routes and deletes its YAML; its access policy stays. The runtime also removes its state, unless keep=state; keep=file leaves the YAML. purge=true forgets its revisions, also later on, and the policy.
         * @description Action: `flows.write`.
         */
        delete: operations["deleteFlow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploys the flow's file as it is on disk now.
         * @description Action: `flows.operate`.
         */
        post: operations["reloadFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The flow's last ten revisions, newest first; also of a deleted flow, until it is purged.
         * @description Action: `flows.read`.
         */
        get: operations["listRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a new revision with the yaml and the options of an earlier one; brings a deleted flow back. Answered like a PUT.
         * @description Action: `flows.write`.
         */
        post: operations["rollbackFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/routes/{routeId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The next messages that wait for the consumer of a route, which stay where they are: records of kafka, and queues and durable subscriptions of jms, activemq, activemq6 and amqp.
         * @description Action: `runs.read`.
         */
        get: operations["peekMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/routes/{routeId}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a run of a timer, cron, quartz, scheduler or polling route now, and waits for its end; its clock goes on as it did.
         * @description Action: `runs.start`.
         */
        post: operations["triggerRoute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The names of the secrets that a flow may use, sorted; the flow need not exist. Values are never answered.
         * @description Action: `secrets.read`.
         */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a stopped flow; lasts over a restart.
         * @description Action: `flows.operate`.
         */
        post: operations["startFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The repositories in which a flow keeps what outlasts its runs, sorted by name.
         * @description Action: `state.read`.
         */
        get: operations["listState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/state/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys of a repository, in their order. limit: 100 by default, at most 1000.
         * @description Action: `state.read`.
         */
        get: operations["listStateKeys"];
        put?: never;
        post?: never;
        /**
         * Forgets the keys of a repository, or the one that key names: messages with them count as new. What messages under way have taken stays theirs.
         * @description Action: `state.write`.
         */
        delete: operations["deleteState"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stops a flow's routes without deleting it, also one that was not loaded yet; lasts over a restart.
         * @description Action: `flows.operate`.
         */
        post: operations["stopFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/flows/{id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All problems of a flow's YAML, options and policy, and what deploying it would start and stop.
         * @description Action: `flows.read`.
         */
        post: operations["validateFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the runtime and its routes are; with the bearer also why. probe=ready: 503 while booting or draining.
         * @description Action: `health.read`.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every limit of the runtime, sorted by name.
         * @description Action: `runtime.read`.
         */
        get: operations["listLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live log events.
         * @description Action: `streams.read`.
         */
        get: operations["streamLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/message-mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The message mappings, sorted by id.
         * @description Action: `mappings.read`.
         */
        get: operations["listMessageMappings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/message-mappings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document as it was sent, its revision as X-Revision.
         * @description Action: `mappings.read`.
         */
        get: operations["getMessageMapping"];
        /**
         * Installs or replaces a message mapping; answered when every flow that uses it has it. strict=true refuses what has warnings.
         * @description Action: `mappings.write`.
         */
        put: operations["putMessageMapping"];
        post?: never;
        /**
         * Removes a message mapping that nothing uses; force=true: in any case.
         * @description Action: `mappings.write`.
         */
        delete: operations["deleteMessageMapping"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/message-mappings/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Maps a message of the caller's, with the mapping or with a document that comes along: the output, and what each rule gave.
         * @description Action: `mappings.read`.
         */
        post: operations["testMessageMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics in the Prometheus text format.
         * @description Action: `runtime.read`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document.
         * @description Action: `runtime.read`.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last runs, newest first. limit: 50 by default, at most 500.
         * @description Action: `runs.read`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One run and its steps.
         * @description Action: `runs.read`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks a run to stop.
         * @description Action: `runs.cancel`.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/runs/{runId}/fixture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run that was recorded, as the body of a test session that replays it with all calls to the outside mocked.
         * @description Action: `runs.read`.
         */
        get: operations["getRunFixture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/test/expression": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluates an expression on a message that comes along: no flow is involved, and nothing is kept.
         * @description Action: `tests.read`.
         */
        post: operations["tryExpression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/test/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a direct: route of the session's flow, or one that replaceFrom names, and waits for its end.
         * @description Action: `tests.run`.
         */
        post: operations["invokeInTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/test/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions that are open, and those that ended a while ago; the newest first.
         * @description Action: `tests.read`.
         */
        get: operations["listTestSessions"];
        put?: never;
        /**
         * Arms mocks on the flow's deployment as it is: for every run of it (scope deployment), or for runs that carry the session's id (scope session). strict=true refuses fields that are not known.
         * @description Action: `tests.run`.
         */
        post: operations["openTestSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/test/session/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the session has seen so far; it stays open.
         * @description Action: `tests.run`.
         */
        get: operations["getTestSession"];
        put?: never;
        post?: never;
        /**
         * Closes the session and judges its assertions. waitMs: how long its runs are waited for, 1000 by default.
         * @description Action: `tests.run`.
         */
        delete: operations["closeTestSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/test/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All problems of a session's document, each with its place; opens nothing.
         * @description Action: `tests.read`.
         */
        post: operations["validateTestSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/trace/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live trace events.
         * @description Action: `streams.read`.
         */
        get: operations["streamTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What flows have used since a time, deleted flows too; since the runtime's start when none is given.
         * @description Action: `runtime.read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/value-mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The value mappings, sorted by id.
         * @description Action: `mappings.read`.
         */
        get: operations["listValueMappings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/value-mappings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document as it was sent, its revision as X-Revision; with Accept: text/csv its rows as CSV.
         * @description Action: `mappings.read`.
         */
        get: operations["getValueMapping"];
        /**
         * Installs or replaces a value mapping; answered when every flow that uses it has it. strict=true refuses what has warnings.
         * @description Action: `mappings.write`.
         */
        put: operations["putValueMapping"];
        post?: never;
        /**
         * Removes a value mapping that nothing uses; force=true: in any case.
         * @description Action: `mappings.write`.
         */
        delete: operations["deleteValueMapping"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/value-mappings/{id}/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Looks a value up, as a step would.
         * @description Action: `mappings.read`.
         */
        post: operations["lookUpValue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_api/value-mappings/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks a document as a PUT would, its tests included, and looks a value up in it; nothing is installed.
         * @description Action: `mappings.read`.
         */
        post: operations["testValueMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AuditEntry: {
            action: string;
            /** @description The beginning of the token's SHA-256, anonymous or runtime. */
            actor: string;
            /** @description The peer of the connection. */
            address: string | null;
            /** @description The same when the call was over. */
            after: string | null;
            at: string;
            /** @description The hash of the resource when the call's turn came; null: there was none. */
            before: string | null;
            /** @description X-Error-Code; null: the call has succeeded, or there was none. */
            code: string | null;
            durationMs: number | null;
            /** @description The SHA-256 of prev and the line without its hash. */
            hash: string;
            method: string | null;
            /** @description Only in lines of the log itself. */
            note?: string;
            path: string | null;
            /** @description The hash of the line before. */
            prev: string;
            /** @description The answer's X-Request-Id. */
            requestId: string | null;
            /** @description The id that the path names. */
            resource: string | null;
            /** @description 1, 2, 3, ... without a gap, over files and restarts. */
            seq: number;
            status: number | null;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            /** @description The value of before for the lines before these; null: there are none. There may be fewer lines than limit, or none, before that: at most 8 MiB of the log are read for an answer. */
            next: number | null;
            /** @description What could not be read, and where the chain is broken, as far as it was read. */
            problems: string[];
        };
        BegunRetry: {
            runId: string;
        };
        Catalog: {
            components: {
                consumer: boolean;
                docs: string;
                example: string;
                name: string;
                poller: boolean;
                producer: boolean;
                schema: {
                    [key: string]: unknown;
                };
            }[];
            /** @description What a connection's document may have. */
            connectionFields: {
                name: string;
                words: string;
            }[];
            /** @description Kinds of named connections. */
            connections: {
                docs: string;
                example: {
                    [key: string]: unknown;
                };
                /** @description Those of the fields database, username, passwordRef, privateKeyRef, passphraseRef and tls that it has. */
                fields: string[];
                /** @description Of documents without it. */
                maxConnections: number;
                name: string;
                options: {
                    default: string | number | boolean | null;
                    /** @description The values that it takes. */
                    expected: string;
                    name: string;
                    /** @enum {string} */
                    type: "text" | "flag" | "whole";
                    /** @description null: any that are expected. */
                    values: string[] | null;
                    words: string;
                }[];
                /** @description The usual port; null: the kind has no servers. */
                port: number | null;
                required: string[];
                title: string;
            }[];
            /** @description What stands beside routes in a document. */
            elements: components["schemas"]["CatalogEntry"][];
            formats: {
                docs: string;
                example: string;
                marshal: boolean;
                name: string;
                schema: {
                    [key: string]: unknown;
                };
                unmarshal: boolean;
            }[];
            /** @description The functions of simple, with the functions that read the message first. */
            functions: {
                docs: string;
                example: string;
                /** @description The message of the example, as JSON; empty: any. */
                given: string;
                name: string;
                /** @description What the example gives, as JSON; empty: it differs each time. */
                result: string;
                /** @description As it is written between `${` and `}`: `pad(exp,width,separator)`. */
                usage: string;
            }[];
            /** @description Those of the runtime; the schema is that of their parameters. */
            kamelets: {
                docs: string;
                name: string;
                schema: {
                    [key: string]: unknown;
                };
            }[];
            languages: components["schemas"]["CatalogEntry"][];
            steps: components["schemas"]["CatalogEntry"][];
        };
        CatalogEntry: {
            docs: string;
            example: string;
            name: string;
            schema: {
                [key: string]: unknown;
            };
        };
        ConnectionDeleteAnswer: {
            /** @constant */
            deleted: true;
            name: string;
            /** @description With force: where it was used; these routes are stopped. */
            stopped: {
                flowId: string;
                routeId: string;
                /** @description "": the route's from. */
                stepId: string;
            }[];
        };
        /** @description The document as it was sent, with its state and its users. */
        ConnectionDetail: {
            state: components["schemas"]["ConnectionState"];
            usedBy: {
                flowId: string;
                routeId: string;
                /** @description "": the route's from. */
                stepId: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @description A named connection. Secrets in it are names of files in SECRETS_DIR/_connections, never values. */
        ConnectionInput: ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description The name of the database. */
            database: string;
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "postgres";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description The name that the server shows for the connection in pg_stat_activity and in its log. Left out: bulkhead. */
                applicationName?: string;
                /** @description Sends the password in clear over a connection without `tls` when the server asks for it so. Without this option the connection fails. Left out: false. */
                clearPassword?: boolean;
                /** @description Schemas, with commas, in which names without a schema are looked up. */
                searchPath?: string;
                /** @description The time zone of the session: what the server takes dates and times without a zone for. Left out: UTC. */
                timeZone?: string;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description The name of the database. */
            database: string;
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "mysql";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /**
                 * @description The character set in which texts are sent and received. Left out: utf8mb4.
                 * @enum {string}
                 */
                charset?: "utf8mb4" | "latin1" | "ascii";
                /** @description What dates and times without a zone are taken for: `Z`, `local` of the runtime, or an offset such as `+02:00`. Left out: Z. */
                timeZone?: string;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username: string;
        } & (unknown | unknown)) | {
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @constant */
            kind: "embedded";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description How many milliseconds a statement or a transaction waits for the transaction of another connection to end, since one writes at a time. Left out: 5000. */
                lockWaitMs?: number;
                /** @description The most MiB that the database may have. A statement that would exceed it fails, and changes nothing. Left out: 256. */
                quotaMiB?: number;
            };
        } | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "amqp";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description How the broker's console names the connections: each open one has this text with a random part behind it. A `clientId` of an endpoint takes its place. Left out: bulkhead. */
                containerId?: string;
                /** @description After how many milliseconds without a word from the broker the connection counts as lost. Left out: 20000. */
                idleTimeoutMs?: number;
                /** @description What stands before the names of queues in addresses, for brokers that want it and do not announce it. */
                queuePrefix?: string;
                /** @description What stands before the names of topics in addresses, such as `topic://` for ActiveMQ Classic. */
                topicPrefix?: string;
                /** @description The name of the broker's virtual host, for brokers that have several behind one address. */
                virtualHost?: string;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username?: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description The name of the database. */
            database?: string;
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "rabbitmq";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description The name that the server shows for the connection in its management and in its log. Left out: bulkhead. */
                connectionName?: string;
                /** @description The most bytes of a frame, unless the server wants less. The headers of a message have to fit into one, and a greater one could hold tables that are too deep to be read. Left out: 65536. */
                frameMax?: number;
                /** @description Seconds between two heartbeats, unless the server wants less. A connection on which nothing has come for twice as long is lost. 0: the server decides. Left out: 10. */
                heartbeat?: number;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "smtp";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /**
                 * @description How `tls` begins: `starttls` begins in clear and changes to TLS before the login, `implicit` is TLS from the first byte. Without it `implicit` on port 465, and `starttls` on others.
                 * @enum {string}
                 */
                encryption?: "starttls" | "implicit";
                /** @description The name with which the runtime greets the server (EHLO); by default that of the machine. */
                localName?: string;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username?: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "kafka";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description The name that brokers show in their logs and count quotas by. Left out: bulkhead. */
                clientId?: string;
                /** @description The rack or zone of the runtime: consumers then read from a replica of the same one. */
                clientRack?: string;
                /** @description After how many milliseconds brokers, topics and partitions are asked for again. Left out: 300000. */
                metadataMaxAgeMs?: number;
                /** @description How many milliseconds a broker has for an answer. Then the connection is given up, and another one opened. Left out: 30000. */
                requestTimeoutMs?: number;
                /**
                 * @description How it logs in, when the document has `passwordRef`. With `OAUTHBEARER` the secret is the token; PLAIN and OAUTHBEARER send it as it is, so write `tls`, too. Left out: PLAIN.
                 * @enum {string}
                 */
                saslMechanism?: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "OAUTHBEARER";
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username?: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "sftp";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description How to log in, in which order: `publickey`, `password`, with a comma between them. By default what there is. */
                authentications?: string;
                /** @description The ciphers in their order, with commas; by default those that are held to be safe. */
                ciphers?: string;
                /** @description Compresses what is sent and received. Left out: false. */
                compression?: boolean;
                /** @description How many such questions may stay without an answer before the connection is given up. Left out: 3. */
                keepAliveCount?: number;
                /** @description After how many milliseconds of silence the server is asked whether it is there; 0: never. Left out: 5000. */
                keepAliveMs?: number;
                /** @description The key exchanges in their order, with commas; by default those that are held to be safe. */
                keyExchange?: string;
                /** @description The server's keys, a line each as in the file known_hosts: `sftp.example.org ssh-ed25519 AAAA...`. A server with another key is refused, and the failure says which key it has. */
                knownHosts?: string;
                /** @description The kinds of host keys in their order, with commas; by default those that are held to be safe. */
                serverHostKeys?: string;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds what the private key is encrypted with. */
            passphraseRef?: string;
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The file in `SECRETS_DIR/_connections` that holds the user's private key, in OpenSSH's or PEM format, in place of a password or beside it. */
            privateKeyRef?: string;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description The user to log in as. */
            username: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "ftp";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /**
                 * @description How `tls` begins: `explicit` begins in clear and changes to TLS before the login (AUTH TLS), `implicit` is TLS from the first byte. Without it `implicit` on port 990, and `explicit` on others.
                 * @enum {string}
                 */
                encryption?: "explicit" | "implicit";
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username?: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /** @description true: endpoints that name no connection use this one. At most one of a kind and group. */
            default?: boolean;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "mqtt";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description What client ids begin with where an endpoint writes none. Runtimes that share a broker, and have flows of the same name, need different ones. Left out: bulkhead. */
                clientIdPrefix?: string;
                /** @description Seconds without a message after which the broker is asked whether it is there; an endpoint's keepAliveInterval comes first. Left out: 15. */
                keepAlive?: number;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username?: string;
        } & (unknown | unknown)) | ({
            /** @description Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`. */
            alsoServers?: string[];
            /**
             * @description true: endpoints that name no connection use this one. At most one of a kind and group.
             * @constant
             */
            default?: false;
            /** @description Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot. */
            flows?: string[];
            /** @description One server, in place of `servers`. */
            host?: string;
            /** @constant */
            kind: "http";
            /** @description The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind. */
            maxConnections?: number;
            /** @description Options of the kind. */
            options?: {
                /** @description Calls over https use HTTP/2 if the server agrees to it (ALPN), many at the same time over one connection; else HTTP/1.1. Left out: false. */
                http2?: boolean;
                /** @description The HTTP proxy, as `host:port`. Calls over https go through a tunnel (CONNECT), in which the server's certificate is checked as without a proxy. A name that only the proxy can resolve must be in `servers` or in EGRESS_ALLOW. */
                proxy?: string;
            };
            /** @description The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened. */
            passwordRef?: string;
            /** @description The port of `host`; left out: the one that servers of the kind usually have. */
            port?: number;
            /** @description The servers, each as `host:port`, in the order in which they are tried. */
            servers?: string[];
            /** @description Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these. */
            tls?: {
                ca?: string;
                certRef?: string;
                keyRef?: string;
                serverName?: string;
            };
            /** @description The user to log in as. */
            username?: string;
        } & (unknown | unknown | unknown));
        ConnectionPutAnswer: {
            hash: string;
            name: string;
            revision: number;
            usedBy: {
                flowId: string;
                routeId: string;
                /** @description "": the route's from. */
                stepId: string;
            }[];
            warnings: {
                code: string;
                message: string;
            }[];
        };
        ConnectionState: {
            /** @description Attempts that failed, and connections that were lost, since the start of the runtime. */
            errors: number;
            failingSince: string | null;
            /** @description Those that nobody uses. */
            idle: number;
            lastError: {
                at: string;
                message: string;
            } | null;
            /** @description Open connections, of all threads. */
            open: number;
            /**
             * @description unknown: nobody has opened it since the start; failing: the last attempt has failed.
             * @enum {string}
             */
            status: "unknown" | "ok" | "failing";
            /** @description Runs that wait for one. */
            waiting: number;
        };
        ConnectionSummary: {
            default: boolean;
            /** @description Why no flow can use it. */
            error?: string;
            /** @description Patterns of the flows that may use it; null: those of its own group. */
            flows: string[] | null;
            hash: string;
            kind: string;
            lastModified: string;
            /** @description null: the document cannot be used. */
            maxConnections: number | null;
            name: string;
            revision: number;
            servers: {
                host: string;
                port: number;
            }[];
            state: components["schemas"]["ConnectionState"];
            usedBy: {
                flowId: string;
                routeId: string;
                /** @description "": the route's from. */
                stepId: string;
            }[];
        };
        ConnectionTestAnswer: {
            /** @description Until the connection was open. */
            connectMs?: number;
            /** @description Why it cannot be opened. */
            error?: string;
            /** @description Of one question to the server. */
            latencyMs?: number;
            ok: boolean;
            serverVersion?: string;
            /** @description The version of TLS; null: it is not encrypted. */
            tls?: string | null;
        };
        ConnectionTestInput: {
            /** @description Tried in place of the one that is kept. */
            document?: components["schemas"]["ConnectionInput"];
        };
        Consumer: {
            /** @description Polls that have failed since then. */
            attempts: number;
            /** @description Messages that wait where it takes them, of a topic its lag, as of its last poll; null: not known. */
            backlog: number | null;
            /** @description Messages whose runs ended well, since the runtime's start. */
            done: number;
            failed: number;
            /** @description The first poll that failed since one was well; null: the last one was. */
            failingSince: string | null;
            lastError: {
                at: string;
                message: string;
            } | null;
            /** @description When it last took a message. null: it has taken none since the runtime's start. */
            lastMessageAt: string | null;
            /** @description null: it has not polled yet, or never polls. */
            lastPoll: string | null;
            /** @description Messages whose runs did not begin, or could not be kept: they come again. */
            lost: number;
            /** @description null: a poll is under way, or there is none. */
            nextPoll: string | null;
            /** @description Messages that are not acknowledged 10 s after the limit of their runs, which is a fault of the runtime. They were given back where the protocol can. */
            overdue: number;
            /** @description Its next messages can be looked at without being taken (peekMessages). */
            peeks: boolean;
            pollFailures: number;
            /** @description Since the runtime's start, those that failed included. */
            polls: number;
            /** @description Messages that their server had delivered before, since the runtime's start. */
            redelivered: number;
            routeId: string;
            scheme: string;
            /**
             * @description stopped: it takes no messages; waiting: for messages, or for its next poll; running: messages are under way; backing_off: polls fail, and it waits before the next one; unknown: the flow has more consumers than have figures, and the numbers of this one are 0.
             * @enum {string}
             */
            state: "stopped" | "waiting" | "polling" | "running" | "backing_off" | "unknown";
            /** @description Messages that are not acknowledged, since their runs are not over. */
            underWay: number;
            uri: string;
        };
        DeleteAnswer: {
            /** @constant */
            deleted: true;
            drained?: number;
            draining: number;
            id: string;
            killed?: number;
        };
        DroppedEvents: {
            count: number;
            /** @description The flow whose thread has lost them. */
            flowId?: string;
            from: number;
            /** @enum {string} */
            reason: "resume_gap" | "slow_consumer" | "producer_overrun" | "thread_ended";
            to: number;
        };
        Error: {
            error: string;
        };
        ExpressionTrialInput: {
            /** @description A JSON value; objects and lists act as a server's JSON does. */
            body?: unknown;
            /** @description It is read as when and filter read theirs: true or false. */
            condition?: boolean;
            /** @description Placeholders in it ({{name}}) are not filled. */
            expression: string;
            headers?: {
                [key: string]: unknown;
            };
            /** @description In place of body: the text of a JSON body, which keeps every digit. */
            json?: string;
            /** @description Such as simple. */
            language: string;
            /** @description Parameters of the flow. */
            params?: {
                [key: string]: string;
            };
            properties?: {
                [key: string]: unknown;
            };
            resultType?: string;
            variables?: {
                [key: string]: unknown;
            };
        };
        ExpressionValue: {
            /** @description It is longer than recordedBytes. */
            cut: boolean;
            /** @description Something in it was hidden. */
            redacted: boolean;
            value: unknown;
        } | {
            error: string;
        };
        FailedCount: {
            count: number;
        };
        FailedMessage: {
            /** @description Of the last failure. */
            at: string;
            /** @description How many runs of it have failed. */
            attempts: number;
            /** @description What it takes. */
            bytes: number;
            /** @description How many equal messages have failed with the same error; a retry runs it once. */
            count: number;
            /** @description It ended in a dead letter channel. */
            deadLetter: boolean;
            /** @description null: its first run is under way. */
            error: {
                line: number | null;
                message: string;
                stepId: string | null;
                type: string;
            } | null;
            flowId: string;
            id: string;
            /** @description The revision of the flow that it failed in first. */
            revision: number;
            routeId: string;
            /** @description The last run with the message. */
            runId: string;
            /**
             * @description retrying: a run of it is under way, its first one after 202, too. Of retried and discarded ones the content is gone.
             * @enum {string}
             */
            state: "waiting" | "retrying" | "retried" | "discarded";
            /** @description Of its first run. */
            trigger: {
                kind: string;
                method?: string;
                path?: string;
                /** @description The caller that an access policy identified; retries run for it. */
                principal?: string;
                uri: string;
            };
        };
        FailedMessageDetail: {
            /** @description Of the last failure. */
            at: string;
            /** @description How many runs of it have failed. */
            attempts: number;
            /** @description What it takes. */
            bytes: number;
            /** @description How many equal messages have failed with the same error; a retry runs it once. */
            count: number;
            /** @description It ended in a dead letter channel. */
            deadLetter: boolean;
            /** @description null: its first run is under way. */
            error: {
                line: number | null;
                message: string;
                stepId: string | null;
                type: string;
            } | null;
            flowId: string;
            /**
             * @description The source could not read the body, such as one above the limit messageBodyBytes. The runtime stores the headers alone, and a retry needs a body.
             * @constant
             */
            headOnly?: true;
            id: string;
            /** @description headers, properties, body and attachments (names, types and sizes) as they entered the route, without credentials, with secrets hidden and long parts cut (`redacted`, `cut`); null once it was retried or discarded. */
            message: {
                [key: string]: unknown;
            } | null;
            /** @description The revision of the flow that it failed in first. */
            revision: number;
            routeId: string;
            /** @description The last run with the message. */
            runId: string;
            /** @description The runs that it has had, the latest last. */
            runs: string[];
            /**
             * @description retrying: a run of it is under way, its first one after 202, too. Of retried and discarded ones the content is gone.
             * @enum {string}
             */
            state: "waiting" | "retrying" | "retried" | "discarded";
            /** @description Of its first run. */
            trigger: {
                kind: string;
                method?: string;
                path?: string;
                /** @description The caller that an access policy identified; retries run for it. */
                principal?: string;
                uri: string;
            };
        };
        FailedSelectionInput: {
            /**
             * @description Everything that waits; only with expect.
             * @constant
             */
            all?: true;
            /**
             * Format: date-time
             * @description Only those that have failed before.
             */
            before?: string;
            /** @description How many there must be; nothing is done when there are others. */
            expect?: number;
            flowId?: string;
            ids?: string[];
            routeId?: string;
        } | unknown | unknown | unknown | unknown | unknown;
        Fixture: {
            assertions: {
                [key: string]: unknown;
            }[];
            flowId: string;
            invoke: {
                body?: unknown;
                bodyBase64?: string;
                endpoint: string;
                headers: {
                    [key: string]: unknown;
                };
            };
            mocks: ({
                stepId?: string;
                uri?: string;
            } & {
                [key: string]: unknown;
            })[];
            name: string;
            /** @description What of the run is not in here, or may be another with each run. */
            notes: string[];
            recordedFrom: {
                hash: string;
                runId: string;
            };
            /** @description Of a route that no direct: endpoint begins: the one that stands for its own. */
            replaceFrom?: {
                [key: string]: string;
            };
            /** @constant */
            scope: "session";
        };
        FlowConsumer: {
            /** @description Polls that have failed since then. */
            attempts: number;
            /** @description Messages that wait where it takes them, of a topic its lag, as of its last poll; null: not known. */
            backlog: number | null;
            /** @description Messages whose runs ended well, since the runtime's start. */
            done: number;
            failed: number;
            /** @description The first poll that failed since one was well; null: the last one was. */
            failingSince: string | null;
            flowId: string;
            lastError: {
                at: string;
                message: string;
            } | null;
            /** @description When it last took a message. null: it has taken none since the runtime's start. */
            lastMessageAt: string | null;
            /** @description null: it has not polled yet, or never polls. */
            lastPoll: string | null;
            /** @description Messages whose runs did not begin, or could not be kept: they come again. */
            lost: number;
            /** @description null: a poll is under way, or there is none. */
            nextPoll: string | null;
            /** @description Messages that are not acknowledged 10 s after the limit of their runs, which is a fault of the runtime. They were given back where the protocol can. */
            overdue: number;
            /** @description Its next messages can be looked at without being taken (peekMessages). */
            peeks: boolean;
            pollFailures: number;
            /** @description Since the runtime's start, those that failed included. */
            polls: number;
            /** @description Messages that their server had delivered before, since the runtime's start. */
            redelivered: number;
            routeId: string;
            scheme: string;
            /**
             * @description stopped: it takes no messages; waiting: for messages, or for its next poll; running: messages are under way; backing_off: polls fail, and it waits before the next one; unknown: the flow has more consumers than have figures, and the numbers of this one are 0.
             * @enum {string}
             */
            state: "stopped" | "waiting" | "polling" | "running" | "backing_off" | "unknown";
            /** @description Messages that are not acknowledged, since their runs are not over. */
            underWay: number;
            uri: string;
        };
        FlowDetail: {
            /** @description Names behind `direct:` that its steps call and none of its own routes has: routes of other flows. */
            calls?: string[];
            /** @description What lists group it by, for people. */
            category?: string;
            /** @description Of GET alone: its routes whose messages come from a source in its thread. */
            consumers?: components["schemas"]["Consumer"][];
            deployedHash: string | null;
            /** @description What the flow is for, for people. */
            description?: string;
            /** @description By the step's id: whether the endpoints that it sends to or polls are only asked (`reads`), or may be changed (`writes`), as far as their options say it. Steps that call nothing are left out. */
            effects: {
                [key: string]: "reads" | "writes";
            };
            error?: string;
            hash: string;
            id: string;
            /** @description The settings that the flow has, those of the runtime included; absent: the operator no longer allows what is set. */
            inForce?: {
                /**
                 * @description Where its threads run; left out: where the operator has them run.
                 * @enum {string}
                 */
                isolation: "thread" | "process";
                /** @description Which failed messages are kept; left out: true, those whose sender was not told. all: also those of callers. */
                keepFailed: boolean | "all";
                /** @description Whether failures that it handles are logged; left out: true. */
                logHandled: boolean;
                /**
                 * @description What is recorded of its runs; left out: errors.
                 * @enum {string}
                 */
                record: "off" | "errors" | "all";
                /** @description How many it has. */
                threads: number;
            };
            /**
             * @description Where its threads run; left out: where the operator has them run.
             * @enum {string}
             */
            isolation?: "thread" | "process";
            /** @description Which failed messages are kept; left out: true, those whose sender was not told. all: also those of callers. */
            keepFailed?: boolean | "all";
            /** @description Of its threads, since the runtime's start. */
            lastKill?: {
                at: string;
                detail: string;
                limit?: {
                    allowed: number;
                    name: string;
                    used: number;
                };
                reason: string;
            };
            lastModified: string;
            /** @description Numbers by their names in the limits table: docs/operating.md. isolation, threads, record and logHandled may stand here when they are sent; they are reported as fields of their own. */
            limits: {
                [key: string]: number | string | boolean;
            };
            /** @description Whether failures that it handles are logged; left out: true. */
            logHandled?: boolean;
            /** @description Values for {{name}} placeholders. A whole number beyond 2^53 is kept as text, with every digit. */
            params: {
                [key: string]: number | string | boolean | null;
            };
            /** @description The access policy in force, and who wrote it last; null: there is none. GET /_api/auth/:flowId has its document. */
            policy?: {
                hash: string;
                /** @enum {string} */
                mode: "enforce" | "report";
                revision: number;
                understood: boolean;
                /** @description null: it is not known. */
                writtenBy: {
                    /** @description The caller, as the audit log names it. */
                    actor?: string;
                    at: string;
                    /** @description The call, or the file, that wrote it. */
                    via: string;
                } | null;
            } | null;
            /** @description Then it is tried again. */
            quarantinedUntil?: string;
            /**
             * @description What is recorded of its runs; left out: errors.
             * @enum {string}
             */
            record?: "off" | "errors" | "all";
            revision: number | null;
            routeCount: number;
            routes: components["schemas"]["Route"][];
            /** @description The set whose deployment brought the flow. */
            set?: string;
            /** @enum {string} */
            state: "Starting" | "Started" | "Stopping" | "Stopped" | "Failed" | "Quarantined" | "Changed" | "Gone";
            /** @description Tests of the flow, each as in a test file (docs/testing-flows.md). They are kept with the flow, and run by tools. */
            tests?: {
                [key: string]: unknown;
            }[];
            /** @description How many it has. */
            threads?: number;
            usage: components["schemas"]["FlowUsage"];
            /** @description True: the runtime deploys each file of its routes directory that is saved (ROUTES_WATCH), so the flow's file is a source that people edit. Only GET has it. */
            watched?: boolean;
            yaml: string;
        };
        FlowDocumentInput: {
            category?: string | null;
            description?: string | null;
            isolation?: ("thread" | "process") | null;
            keepFailed?: (boolean | "all") | null;
            limits?: {
                [key: string]: number | string | boolean;
            } | null;
            logHandled?: boolean | null;
            params?: {
                [key: string]: number | string | boolean | null;
            } | null;
            /** @description The flow's access policy, the document of PUT /_api/auth/:flowId, but without keys in clear; null removes it. */
            policy?: {
                [key: string]: unknown;
            } | null;
            record?: ("off" | "errors" | "all") | null;
            tests?: {
                [key: string]: unknown;
            }[] | null;
            threads?: number | null;
            yaml: string;
        } & {
            [key: string]: unknown;
        };
        FlowSummary: {
            /** @description Names behind `direct:` that its steps call and none of its own routes has: routes of other flows. */
            calls?: string[];
            category?: string;
            deployedHash: string | null;
            description?: string;
            error?: string;
            hash: string;
            id: string;
            lastModified: string;
            revision: number | null;
            routeCount: number;
            routes: components["schemas"]["Route"][];
            /** @enum {string} */
            state: "Starting" | "Started" | "Stopping" | "Stopped" | "Failed" | "Quarantined" | "Changed" | "Gone";
            /** @description With usage=true only. */
            usage?: components["schemas"]["FlowUsage"];
        };
        /** @description Of the moment, and since the runtime's start over all deployments. */
        FlowUsage: {
            /** @description Bodies that runs began with. */
            bytesIn: number;
            /** @description Bodies of the answers of its webhooks and paths. */
            bytesOut: number;
            /** @description CPU time of its threads, their boot included; without V8's helper threads. */
            cpuMs: number;
            /** @description Calls by scheme and host of the endpoints that the flow's text names; dynamic: only messages name them; other: beyond the first 20. */
            endpoints: {
                [key: string]: {
                    failed: number;
                    ok: number;
                    /** @description Calls that were redeliveries. */
                    retries: number;
                };
            };
            /** @description Their memory outside of the heap: array buffers, WebAssembly, long texts. */
            externalBytes: number;
            /** @description V8's heaps of its threads, as they were last seen. */
            heapBytes: number;
            /** @description Runs under way. */
            inflight: number;
            /** @description Threads that were killed, by reason. */
            kills: {
                [key: string]: number;
            };
            /** @description Calls of endpoints that leave the flow. */
            outboundCalls: number;
            /** @description Runs that wait for a thread, and messages in threads that wait for runs of their own. */
            queued: number;
            /** @description Runs that were begun anew, because their thread was lost for another run. */
            reruns: number;
            /** @description Of the current deployment: threads that were killed or died. */
            restarts: number;
            /** @description By the route's id. */
            routes: {
                [key: string]: {
                    /** @description Its circuit breakers by their state, at the moment. */
                    breakers: {
                        closed: number;
                        halfOpen: number;
                        open: number;
                    };
                    /** @description Runs that these have caused (taps, queues, groups, calls of other flows) and that did not complete. */
                    childFailures: number;
                    /** @description Messages that it has given to its dead letter channel. */
                    deadLetters: number;
                    /** @description Failures that it has handled itself. */
                    handledFailures: number;
                    /** @description Messages that its resequence steps keep until their turn, at the moment. */
                    heldMessages: number;
                    /** @description Messages that an idempotentConsumer had seen before. */
                    idempotentHits: number;
                    /** @description Groups of its aggregate steps that are not complete, at the moment. */
                    openAggregations: number;
                    /** @description Complete groups of its aggregate steps whose steps were begun again after the loss of a thread or of the runtime. */
                    recoveredGroups: number;
                    /** @description Redeliveries of failed steps by its error handler. */
                    retries: number;
                    /** @description Runs that the route began. */
                    runs: {
                        cancelled: number;
                        completed: number;
                        failed: number;
                        killed: number;
                        shed: number;
                        timeout: number;
                    };
                };
            };
            runs: {
                cancelled: number;
                completed: number;
                failed: number;
                killed: number;
                shed: number;
                timeout: number;
            };
            threads: number;
        };
        /** @description The message that a run begins with. */
        GivenMessageInput: {
            /** @description Any JSON value. */
            body?: unknown;
            headers?: {
                [key: string]: unknown;
            };
        };
        Health: {
            /** @description Whether the audit log is written, and why not. With the bearer only. */
            audit?: {
                reason?: string;
                writable: boolean;
            };
            /** @description How far the boot is: flows that the runtime has, those that answer, are stopped or have failed, and of these those whose start has been tried. All the same when it is over. */
            boot: {
                compiled: number;
                flows: number;
                loaded: number;
            };
            /** @description Routes whose messages come from a source in the flow's thread. With the bearer only. */
            consumers?: components["schemas"]["FlowConsumer"][];
            counts: {
                failed: number;
                failedFiles: number;
                flows: number;
                routes: number;
                started: number;
            };
            engine: {
                dsl: string;
                name: string;
                version: string;
            };
            failedFiles?: {
                file: string;
                reason: string;
            }[];
            /** @description Why it is DEGRADED, beside routes that have failed and files that could not be loaded; and what is no reason for it: a main loop that is late, routes whose runs fail, connections that cannot be opened, consumers that cannot poll, direct: targets that are missing, and failed messages that wait. With the bearer only. */
            problems?: {
                /** @enum {string} */
                code: "quarantined" | "stuck_thread" | "host_down" | "main_loop_late" | "overloaded" | "lock_lost" | "failing_route" | "file_not_deployed" | "restored" | "state_set_aside" | "state_full" | "state_failing" | "failed_messages" | "connection_failing" | "consumer_failing" | "messages_overdue" | "target_missing";
                /** @description Of a failing route: how many of its last runs failed. */
                failed?: number;
                /** @description Of the routes directory: it is not deployed as it is. */
                file?: string;
                flowId?: string;
                lastError?: {
                    at: string;
                    message: string;
                    type: string;
                } | null;
                message: string;
                /** @description How many runs these are, at most 20 of the current deployment. */
                of?: number;
                routeId?: string;
                /** @description The first failed run since the route was well; the first attempt to open the connection, or to poll, that failed. */
                since?: string;
                /** @description Then it is tried again. */
                until?: string;
            }[];
            routes: {
                flowId: string;
                hash?: string;
                id: string;
                inflight?: number;
                lastError?: {
                    at: string;
                    message: string;
                    type: string;
                } | null;
                queued?: number;
                restarts?: number;
                /** @enum {string} */
                status: "Starting" | "Started" | "Stopping" | "Stopped" | "Failed" | "Quarantined";
                uptime?: number;
            }[];
            /** @enum {string} */
            status: "UP" | "DEGRADED";
            /** @description Whether flows can be changed, and why not. With the bearer only. */
            store?: {
                reason?: string;
                writable: boolean;
            };
            /** @description Seconds. */
            uptime: number;
            version: string;
        };
        InstalledPolicy: {
            /** @description Whether calls are denied by it. */
            enforced: boolean;
            flowId: string;
            /** @description Of the document as it is kept: keys in clear are hashed before. Empty: its file cannot be read. */
            hash: string;
            /** @enum {string} */
            mode: "enforce" | "report";
            principals: string[];
            revision: number;
            /** @description false: only the deploy token gets in. */
            understood: boolean;
            warnings: {
                code: string;
                message: string;
                pointer?: string;
            }[];
            /** @description null: it is not known. */
            writtenBy: {
                /** @description The caller, as the audit log names it. */
                actor?: string;
                at: string;
                /** @description The call, or the file, that wrote it. */
                via: string;
            } | null;
        };
        Limit: {
            /** @description What a flow may raise it to; null: flows may not set it. */
            ceiling: number | null;
            default: number;
            docs: string;
            name: string;
            /** @enum {string} */
            unit: "bytes" | "ms" | "count";
            value: number;
            /** @description The environment variable that sets it. */
            variable: string;
        };
        LogEvent: {
            flowId?: string;
            /** @enum {string} */
            level: "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR";
            /** @description The route, or the name that a step gives; runtime for the runtime's own lines. */
            logger: string;
            /** @description What a log step or endpoint marks its lines with. */
            marker?: string;
            message: string;
            /** @description On lines about failures: the run that caused this one. */
            parentRunId?: string;
            routeId?: string;
            runId?: string;
            /** @description Its number, as in its id. */
            seq: number;
            stepId?: string;
            testSessionId?: string;
            traceId?: string;
            /** @description ISO 8601, UTC, milliseconds. */
            ts: string;
        };
        MappingDeleteAnswer: {
            /** @constant */
            deleted: true;
            id: string;
        };
        MappingTrialAnswer: {
            errors: {
                message: string;
                rule?: string;
                target?: string;
            }[];
            /** @description The new body; null when the mapping fails. */
            output: unknown;
            /** @description With document: why it would be refused; nothing is mapped then. pointer: the place in the document. */
            problems?: {
                message: string;
                pointer: string;
            }[];
            rules: {
                error?: string;
                id: string;
                /** @description false: its when does not hold. */
                matched: boolean;
                /**
                 * @description Its expression gives nothing.
                 * @constant
                 */
                missing?: true;
                /** @description JSON pointer into the result; a nested rule has an entry for each item. */
                target: string;
                /**
                 * @description The value is too long: its beginning as text, or null.
                 * @constant
                 */
                truncated?: true;
                value?: unknown;
            }[];
            /** @description With tests. */
            tests?: {
                name: string;
                passed: boolean;
                pointer: string;
                problem?: string;
            }[];
            /** @description With document. */
            warnings?: {
                code: string;
                message: string;
            }[];
        };
        /** @description A message: {"input": ...}, and with it "headers", "properties", "variables" and "params" if need be. "document": a mapping to try in place of the installed one, which need not exist; "tests": true runs its tests, too. "frozen": true has the clock, the random numbers and the UUIDs of tests. */
        MappingTrialInput: {
            /** @description A mapping to try, in place of the installed one. */
            document?: unknown;
            frozen?: boolean;
            headers?: {
                [key: string]: unknown;
            };
            /** @description Any JSON value. */
            input: unknown;
            params?: {
                [key: string]: unknown;
            };
            properties?: {
                [key: string]: unknown;
            };
            tests?: boolean;
            variables?: {
                [key: string]: unknown;
            };
        };
        /** @description A message mapping: {"source", "target", "rules", "tests"}, or a short form such as {"expression": "..."}. */
        MessageMappingInput: Record<string, unknown>;
        MessageMappingPutAnswer: {
            compiledRules: number;
            hash: string;
            id: string;
            revision: number;
            rules: number;
            tests: {
                failed: number;
                passed: number;
            };
            untestedRules: string[];
            /** @description Steps of deployed flows, and message mappings. */
            usedBy: ({
                flowId: string;
                routeId: string;
                stepId: string;
            } | {
                /** @description A message mapping. */
                mapping: string;
            })[];
            /** @description Value mappings that it looks up in. */
            uses: string[];
            warnings: {
                code: string;
                message: string;
            }[];
        };
        MessageMappingSummary: {
            /** @description Why no run can use it. */
            error?: string;
            hash: string;
            id: string;
            lastModified: string;
            name: string;
            rules: number;
            /** @description Steps of deployed flows, and message mappings. */
            usedBy: ({
                flowId: string;
                routeId: string;
                stepId: string;
            } | {
                /** @description A message mapping. */
                mapping: string;
            })[];
        };
        OpenedTestSession: {
            /** @description What is mocked, and how many mocks there are for it. */
            armed: ({
                mocks: number;
                routeId: string;
                stepId: string;
            } | {
                mocks: number;
                uri: string;
            })[];
            expiresAt: string;
            flowId: string;
            hash: string;
            /**
             * @description A request that carries the session's id in it is in the session.
             * @constant
             */
            header: "X-Test-Session";
            /** @enum {string} */
            scope: "deployment" | "session";
            sessionId: string;
            ttlMs: number;
            warnings: string[];
        };
        PeekedMessage: {
            /** @description Where it stands, as its server names it; null: it has no such name. */
            at: string | null;
            /** @description Cut, and with secrets masked, as in run records. */
            body: string;
            /** @description The class of the body, as in Camel's logs. */
            bodyType: string;
            /** @description Those of the message that the flow would get, cut. */
            headers: {
                [key: string]: string;
            };
            /** @description Why the route could not read it, so that its run would fail; null: it can. */
            unreadable: string | null;
        };
        Plan: {
            start: string[];
            stop: string[];
            unchanged: string[];
        };
        PolicyExplanation: {
            allowed: boolean;
            /** @enum {string} */
            mode: "enforce" | "report";
            principal: string | null;
            reason: string;
            roles: string[];
            /** @description What decided: its place in rules, or the short form; null: nothing allows it. */
            rule: (number | string) | null;
            understood: boolean;
        };
        PolicyQuestionInput: {
            /** @description The caller's; absent: not known. */
            address?: string;
            /** @description A principal's name; idp:alice for a token's bearer; absent: a caller without a name. */
            as?: string | null;
            /** @description POST, if absent. */
            method?: string;
            /** @description What a bearer's token would bring. */
            roles?: string[];
            route: string;
        };
        PutAnswer: {
            /** @description What lists group it by, for people. */
            category?: string;
            changed: boolean;
            created: boolean;
            /** @description What the flow is for, for people. */
            description?: string;
            dryRun?: boolean;
            hash: string;
            id: string;
            /** @description The settings that the flow has, those of the runtime included; absent: the operator no longer allows what is set. */
            inForce?: {
                /**
                 * @description Where its threads run; left out: where the operator has them run.
                 * @enum {string}
                 */
                isolation: "thread" | "process";
                /** @description Which failed messages are kept; left out: true, those whose sender was not told. all: also those of callers. */
                keepFailed: boolean | "all";
                /** @description Whether failures that it handles are logged; left out: true. */
                logHandled: boolean;
                /**
                 * @description What is recorded of its runs; left out: errors.
                 * @enum {string}
                 */
                record: "off" | "errors" | "all";
                /** @description How many it has. */
                threads: number;
            };
            /**
             * @description Where its threads run; left out: where the operator has them run.
             * @enum {string}
             */
            isolation?: "thread" | "process";
            /** @description Which failed messages are kept; left out: true, those whose sender was not told. all: also those of callers. */
            keepFailed?: boolean | "all";
            lastModified: string;
            /** @description Numbers by their names in the limits table: docs/operating.md. isolation, threads, record and logHandled may stand here when they are sent; they are reported as fields of their own. */
            limits: {
                [key: string]: number | string | boolean;
            };
            /** @description Whether failures that it handles are logged; left out: true. */
            logHandled?: boolean;
            /** @description Values for {{name}} placeholders. A whole number beyond 2^53 is kept as text, with every digit. */
            params: {
                [key: string]: number | string | boolean | null;
            };
            plan?: components["schemas"]["Plan"];
            /** @description The access policy in force, and who wrote it last; null: there is none. GET /_api/auth/:flowId has its document. */
            policy?: {
                hash: string;
                /** @enum {string} */
                mode: "enforce" | "report";
                revision: number;
                understood: boolean;
                /** @description null: it is not known. */
                writtenBy: {
                    /** @description The caller, as the audit log names it. */
                    actor?: string;
                    at: string;
                    /** @description The call, or the file, that wrote it. */
                    via: string;
                } | null;
            } | null;
            /**
             * @description What is recorded of its runs; left out: errors.
             * @enum {string}
             */
            record?: "off" | "errors" | "all";
            restarted?: boolean;
            revision: number;
            routeCount: number;
            routes: components["schemas"]["Route"][];
            swap: {
                drained?: number;
                draining: number;
                killed?: number;
                readyMs: number;
            };
            /** @description Tests of the flow, each as in a test file (docs/testing-flows.md). They are kept with the flow, and run by tools. */
            tests?: {
                [key: string]: unknown;
            }[];
            /** @description How many it has. */
            threads?: number;
            warnings: {
                code: string;
                column: number | null;
                line: number | null;
                message: string;
            }[];
        };
        RemovedPolicy: {
            /** @constant */
            deleted: true;
            flowId: string;
        };
        RemovedState: {
            name: string;
            removed: number;
        };
        Revision: {
            /** @description What lists group it by, for people. */
            category?: string;
            /** @description It is the flow as it stands. None is while the flow is deleted. */
            current: boolean;
            /** @description What the flow is for, for people. */
            description?: string;
            hash: string;
            /**
             * @description Where its threads run; left out: where the operator has them run.
             * @enum {string}
             */
            isolation?: "thread" | "process";
            /** @description Which failed messages are kept; left out: true, those whose sender was not told. all: also those of callers. */
            keepFailed?: boolean | "all";
            /** @description Numbers by their names in the limits table: docs/operating.md. isolation, threads, record and logHandled may stand here when they are sent; they are reported as fields of their own. */
            limits: {
                [key: string]: number | string | boolean;
            };
            /** @description Whether failures that it handles are logged; left out: true. */
            logHandled?: boolean;
            /** @description Values for {{name}} placeholders. A whole number beyond 2^53 is kept as text, with every digit. */
            params: {
                [key: string]: number | string | boolean | null;
            };
            /**
             * @description What is recorded of its runs; left out: errors.
             * @enum {string}
             */
            record?: "off" | "errors" | "all";
            revision: number;
            savedAt: string;
            /**
             * @description Of the current revision, what is wanted now; of the others, what was wanted when they were kept.
             * @enum {string}
             */
            state: "started" | "stopped";
            /** @description Tests of the flow, each as in a test file (docs/testing-flows.md). They are kept with the flow, and run by tools. */
            tests?: {
                [key: string]: unknown;
            }[];
            /** @description How many it has. */
            threads?: number;
            /** @description With yaml=true only. */
            yaml?: string;
        };
        RollbackInput: {
            revision: number;
        } & {
            [key: string]: unknown;
        };
        Route: {
            id: string;
            /** @description When its timer, scheduler or cron begins the next run, ISO 8601, UTC. Absent: no clock of it runs, or its run is under way and the next one counts from its end. */
            nextRun?: string;
            /**
             * @description Only one runtime may run it at a time: two would each begin a run for the same tick, file, row or message. Absent: several may.
             * @constant
             */
            once?: true;
            /** @enum {string} */
            status: "Starting" | "Started" | "Stopping" | "Stopped" | "Failed" | "Quarantined";
            uri: string;
            webhook?: string;
        };
        Run: {
            bytesIn: number;
            bytesOut: number;
            /** @description The runs that it has caused: taps, messages for queues, groups, calls of other flows. */
            children: {
                failed: number;
                running: number;
                started: number;
            };
            /** @description The runs that were lost because its thread was killed for it, at most a hundred of them. */
            collateral: string[];
            /** @description How many they were. */
            collateralCount: number;
            /** @description While it runs: so far. */
            cpuMs: number;
            durationMs: number;
            error: {
                /** @description Of a failed call: what the server answered, redacted, at most 4 KiB of its body. Not with record: off. */
                detail?: {
                    body: string;
                    headers: {
                        [key: string]: string;
                    };
                    status: number;
                };
                line: number | null;
                message: string;
                stepId: string | null;
                type: string;
            } | null;
            finishedAt: string | null;
            flowId: string;
            /** @description The first ten failures that the flow handled itself, and the construct and line that did it. */
            handled: {
                by: string;
                /** @description Of a failed call: what the server answered, redacted, at most 4 KiB of its body. Not with record: off. */
                detail?: {
                    body: string;
                    headers: {
                        [key: string]: string;
                    };
                    status: number;
                };
                message: string;
                stepId: string | null;
                type: string;
            }[];
            hash: string;
            httpStatus: number | null;
            id: string;
            /** @description The limit that it was ended for, in the limit's unit. */
            limit: {
                allowed: number;
                name: string;
                used: number;
            } | null;
            /** @description The run that its thread was killed for, when it was not the one. */
            lostWith: string | null;
            outcome: ("ok" | "error" | "timeout" | "cpu_limit" | "memory_limit" | "collateral" | "queue_full" | "client_gone" | "redeploy" | "cancelled") | null;
            parentRunId: string | null;
            queueMs: number;
            /** @description 1: it was begun anew in another thread, since its first one was lost for another run. */
            reruns: number;
            revision: number;
            routeId: string;
            /** @description While it runs: of the outermost split that is under way, the parts that have ended, and how many there are; null: not known yet. */
            split: {
                done: number;
                of: number | null;
            } | null;
            startedAt: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "timeout" | "killed" | "shed" | "cancelled";
            steps: {
                /** @description While it runs: so far. */
                executed: number;
                /** @description Those whose failure was handled included. */
                failed: number;
                failedStepId: string | null;
            };
            testSessionId: string | null;
            traceId: string;
            trigger: {
                /** @description webhook, http, timer, direct or test; manual: it was begun now by the management API; of a run that began in its flow's thread wireTap, aggregate, resequence or onCompletion, or the scheme of the endpoint that received its message, such as seda or file. */
                kind: string;
                method?: string;
                path?: string;
                principal?: string;
                uri: string;
            };
            worker: number | null;
        };
        RunDetail: {
            bytesIn: number;
            bytesOut: number;
            /** @description The runs that it has caused: taps, messages for queues, groups, calls of other flows. */
            children: {
                failed: number;
                running: number;
                started: number;
            };
            /** @description The runs that were lost because its thread was killed for it, at most a hundred of them. */
            collateral: string[];
            /** @description How many they were. */
            collateralCount: number;
            /** @description While it runs: so far. */
            cpuMs: number;
            durationMs: number;
            error: {
                /** @description Of a failed call: what the server answered, redacted, at most 4 KiB of its body. Not with record: off. */
                detail?: {
                    body: string;
                    headers: {
                        [key: string]: string;
                    };
                    status: number;
                };
                line: number | null;
                message: string;
                stepId: string | null;
                type: string;
            } | null;
            finishedAt: string | null;
            flowId: string;
            /** @description The first ten failures that the flow handled itself, and the construct and line that did it. */
            handled: {
                by: string;
                /** @description Of a failed call: what the server answered, redacted, at most 4 KiB of its body. Not with record: off. */
                detail?: {
                    body: string;
                    headers: {
                        [key: string]: string;
                    };
                    status: number;
                };
                message: string;
                stepId: string | null;
                type: string;
            }[];
            hash: string;
            httpStatus: number | null;
            id: string;
            /** @description The limit that it was ended for, in the limit's unit. */
            limit: {
                allowed: number;
                name: string;
                used: number;
            } | null;
            /** @description The run that its thread was killed for, when it was not the one. */
            lostWith: string | null;
            /** @description The versions of the mappings that it saw, from its beginning to its end. */
            mappings: {
                hash: string;
                id: string;
                /** @enum {string} */
                kind: "value" | "message";
                revision: number;
            }[];
            outcome: ("ok" | "error" | "timeout" | "cpu_limit" | "memory_limit" | "collateral" | "queue_full" | "client_gone" | "redeploy" | "cancelled") | null;
            parentRunId: string | null;
            queueMs: number;
            /** @description 1: it was begun anew in another thread, since its first one was lost for another run. */
            reruns: number;
            revision: number;
            routeId: string;
            /** @description While it runs: of the outermost split that is under way, the parts that have ended, and how many there are; null: not known yet. */
            split: {
                done: number;
                of: number | null;
            } | null;
            startedAt: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "timeout" | "killed" | "shed" | "cancelled";
            stepRuns: {
                duration: number;
                error?: {
                    message: string;
                    type: string;
                };
                id: string;
                /** @description Of runs that are recorded, and of the step that a run failed in. */
                in?: {
                    /** @description The message's attachments, without their bytes; absent: it has none. */
                    attachments?: {
                        bytes: number;
                        contentType: string;
                        fileName?: string;
                        name: string;
                    }[];
                    body: string;
                    bodyType: string;
                    headers: {
                        [key: string]: string;
                    };
                };
                /** @description A mock of a test session answered in its place, or looked on. */
                mocked: boolean;
                /**
                 * @description Its messages are not there: those of the run were too many.
                 * @constant
                 */
                omitted?: true;
                out?: {
                    /** @description The message's attachments, without their bytes; absent: it has none. */
                    attachments?: {
                        bytes: number;
                        contentType: string;
                        fileName?: string;
                        name: string;
                    }[];
                    body: string;
                    bodyType: string;
                    headers: {
                        [key: string]: string;
                    };
                };
                /**
                 * @description The step has not changed the body, although `in` and `out` show different parts of it, since they are cut.
                 * @constant
                 */
                sameBody?: true;
                start: string;
                /** @enum {string} */
                status: "completed" | "failed";
                type: string;
            }[];
            steps: {
                /** @description While it runs: so far. */
                executed: number;
                /** @description Those whose failure was handled included. */
                failed: number;
                failedStepId: string | null;
            };
            testSessionId: string | null;
            traceId: string;
            trigger: {
                /** @description webhook, http, timer, direct or test; manual: it was begun now by the management API; of a run that began in its flow's thread wireTap, aggregate, resequence or onCompletion, or the scheme of the endpoint that received its message, such as seda or file. */
                kind: string;
                method?: string;
                path?: string;
                principal?: string;
                uri: string;
            };
            worker: number | null;
        };
        SecretName: {
            /** @description As in `{{secret:NAME}}`; with folders before it, such as `kafka/password`. */
            name: string;
            /** @description Its value is the one for all flows, since the flow has none of its own. */
            shared: boolean;
        };
        SetAnswer: {
            /** @description false: everything was as the set has it. */
            changed: boolean;
            connections: {
                /** @enum {string} */
                action: "create" | "replace" | "unchanged" | "remove";
                /** @description In a dry run, of what changes: a unified diff. */
                diff?: string;
                name: string;
                /** @description After the deployment, in a dry run before it; 0: there is none. */
                revision: number;
                warnings: {
                    code: string;
                    column?: number | null;
                    line?: number | null;
                    message: string;
                }[];
            }[];
            dryRun: boolean;
            /** @description In the order in which they came into service; those that were removed last. */
            flows: {
                /** @enum {string} */
                action: "create" | "replace" | "unchanged" | "remove";
                /** @description In a dry run, of what changes: a unified diff. */
                diff?: string;
                hash: string;
                id: string;
                /** @description After the deployment, in a dry run before it; 0: there is none. */
                revision: number;
                warnings: {
                    code: string;
                    column?: number | null;
                    line?: number | null;
                    message: string;
                }[];
            }[];
            mappings: {
                /** @enum {string} */
                action: "create" | "replace" | "unchanged" | "remove";
                /** @description In a dry run, of what changes: a unified diff. */
                diff?: string;
                id: string;
                /** @enum {string} */
                kind: "value" | "message";
                /** @description After the deployment, in a dry run before it; 0: there is none. */
                revision: number;
                warnings: {
                    code: string;
                    column?: number | null;
                    line?: number | null;
                    message: string;
                }[];
            }[];
            policies: {
                /** @enum {string} */
                action: "create" | "replace" | "unchanged" | "remove";
                /** @description In a dry run, of what changes: a unified diff. */
                diff?: string;
                flowId: string;
                /** @description After the deployment, in a dry run before it; 0: there is none. */
                revision: number;
                warnings: {
                    code: string;
                    column?: number | null;
                    line?: number | null;
                    message: string;
                }[];
            }[];
            set?: string;
            /** @description Of the set as a whole. */
            warnings: {
                code: string;
                column?: number | null;
                line?: number | null;
                message: string;
            }[];
        };
        /** @description Everything that belongs to the set. Options that a flow leaves out are not set afterwards. */
        SetInput: {
            connections?: ({
                /** @description As PUT /_api/connections/:name takes it. */
                document: {
                    [key: string]: unknown;
                };
                name: string;
            } & {
                [key: string]: unknown;
            })[];
            flows?: ({
                category?: string | null;
                description?: string | null;
                id: string;
                /** @description The ETag of the version that it replaces: if there is another one by now, nothing is deployed (412). */
                ifMatch?: string;
                /**
                 * @description `*`: it is not there yet; if it is, nothing is deployed (412).
                 * @constant
                 */
                ifNoneMatch?: "*";
                isolation?: ("thread" | "process") | null;
                keepFailed?: (boolean | "all") | null;
                limits?: {
                    [key: string]: number | string | boolean;
                } | null;
                logHandled?: boolean | null;
                params?: {
                    [key: string]: number | string | boolean | null;
                } | null;
                /** @description The flow's access policy, the document of PUT /_api/auth/:flowId, but without keys in clear; null removes it. */
                policy?: {
                    [key: string]: unknown;
                } | null;
                record?: ("off" | "errors" | "all") | null;
                tests?: {
                    [key: string]: unknown;
                }[] | null;
                threads?: number | null;
                yaml: string;
            } & {
                [key: string]: unknown;
            })[];
            mappings?: (({
                /** @description As the PUT of the mapping takes it. */
                document?: {
                    [key: string]: unknown;
                };
                id: string;
                /** @description The ETag of the version that it replaces: if there is another one by now, nothing is deployed (412). */
                ifMatch?: string;
                /**
                 * @description `*`: it is not there yet; if it is, nothing is deployed (412).
                 * @constant
                 */
                ifNoneMatch?: "*";
                /** @enum {string} */
                kind: "value" | "message";
                /** @description The document as JSON in a text, in place of `document`: it is kept as it is, spaces included. */
                text?: string;
            } & {
                [key: string]: unknown;
            }) & (unknown | unknown))[];
            policies?: ({
                flowId: string;
                /** @description As PUT /_api/auth/:flowId takes it, but without keys in clear. */
                policy: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            })[];
            /** @description The name of the set, by which prune=true knows what it has brought. Without it each part stays of the set that it is of. */
            set?: string;
        } & {
            [key: string]: unknown;
        };
        StateKey: {
            /** @description When it was stored. */
            at: string;
            /**
             * @description The key is the digest of a text that has more than 256 characters or holds the value of a secret.
             * @constant
             */
            digest?: true;
            key: string;
            /** @description The run that has stored it; null: a consumer, outside of a run. */
            runId: string | null;
            /** @description The value that the key has in a repository of the kind `values`. */
            value?: string;
        };
        StateRepository: {
            /** @description About what it takes on the disk, as the limit stateBytes counts. */
            bytes: number;
            keys: number;
            /** @enum {string} */
            kind: "idempotent" | "aggregation" | "values";
            name: string;
            /** @description When its oldest key was stored. */
            oldest: string | null;
            /** @description null: the route's `from`, or no step of the flow as it is now. */
            stepId: string | null;
        };
        TestInvokeAnswer: {
            body: unknown;
            /** @constant */
            bodyEncoding?: "base64";
            durationMs: number;
            error: {
                /** @description Of a failed call: what the server answered, redacted, at most 4 KiB of its body. Not with record: off. */
                detail?: {
                    body: string;
                    headers: {
                        [key: string]: string;
                    };
                    status: number;
                };
                line: number | null;
                message: string;
                stepId: string | null;
                type: string;
            } | null;
            headers: {
                [key: string]: unknown;
            };
            /** @description Steps and patterns of the mocks that were called, by their first call. */
            mocksHit: string[];
            runId: string;
            status: string;
            steps: {
                duration: number;
                error?: {
                    message: string;
                    type: string;
                };
                id: string;
                /** @description Of runs that are recorded, and of the step that a run failed in. */
                in?: {
                    /** @description The message's attachments, without their bytes; absent: it has none. */
                    attachments?: {
                        bytes: number;
                        contentType: string;
                        fileName?: string;
                        name: string;
                    }[];
                    body: string;
                    bodyType: string;
                    headers: {
                        [key: string]: string;
                    };
                };
                /** @description A mock of a test session answered in its place, or looked on. */
                mocked: boolean;
                /**
                 * @description Its messages are not there: those of the run were too many.
                 * @constant
                 */
                omitted?: true;
                out?: {
                    /** @description The message's attachments, without their bytes; absent: it has none. */
                    attachments?: {
                        bytes: number;
                        contentType: string;
                        fileName?: string;
                        name: string;
                    }[];
                    body: string;
                    bodyType: string;
                    headers: {
                        [key: string]: string;
                    };
                };
                /**
                 * @description The step has not changed the body, although `in` and `out` show different parts of it, since they are cut.
                 * @constant
                 */
                sameBody?: true;
                start: string;
                /** @enum {string} */
                status: "completed" | "failed";
                type: string;
            }[];
        };
        /** @description What is sent, and where to; without an endpoint or a route what the session's own invoke says. */
        TestInvokeRequestInput: {
            /** @description Any JSON value. */
            body?: unknown;
            /** @description In place of a body: bytes. */
            bodyBase64?: string;
            /** @description direct:name, of the flow or of replaceFrom; also as uri. */
            endpoint?: string;
            headers?: {
                [key: string]: unknown;
            };
            /** @description In place of an endpoint. */
            routeId?: string;
            sessionId: string;
            timeoutMs?: number;
            uri?: string;
        } & (unknown & unknown & unknown & unknown);
        /** @description Assertions beside those of the session. */
        TestSessionAssertionsInput: {
            /** @description Such as {"mockCalled": {"stepId": "to-crm", "times": 2, "with": {"body": {"$contains": {"id": 17}}}}}. */
            assertions?: Record<string, unknown>[];
        };
        TestSessionReport: {
            /** @description Each as it was sent, with passed, actual and message. */
            assertions: {
                [key: string]: unknown;
            }[];
            /** @description By step id or pattern: exact. */
            callCounts: {
                [key: string]: number;
            };
            closed: boolean;
            expired: boolean;
            expiresAt: string;
            flowId: string;
            hash: string;
            name: string | null;
            notes: string[];
            /** @description Whether all assertions hold; null while the session is open. */
            passed: boolean | null;
            /** @description Runs that were under way when it was closed. */
            pending: string[];
            /** @description What each mocked step saw, in order. */
            recordedCalls: {
                /** @enum {string} */
                action: "respond" | "throw" | "spy";
                at: string;
                durationMs: number;
                error: {
                    /**
                     * @description The answer is not whole.
                     * @constant
                     */
                    cut?: true;
                    message: string;
                    /**
                     * @description Something in the answer was hidden.
                     * @constant
                     */
                    redacted?: true;
                    responseBody?: unknown;
                    responseHeaders?: {
                        [key: string]: unknown;
                    };
                    statusCode?: number;
                    type: string;
                } | null;
                flowId: string;
                /** @description Its place among the mocks, counted from 0. */
                mock: number;
                request: {
                    /** @description The message's attachments, without their bytes; absent: it has none. */
                    attachments?: {
                        bytes: number;
                        contentType: string;
                        fileName?: string;
                        name: string;
                    }[];
                    body: unknown;
                    bodyType: string;
                    /**
                     * @description Something of it is not whole.
                     * @constant
                     */
                    cut?: true;
                    /** @constant */
                    encoding?: "base64";
                    headers: {
                        [key: string]: unknown;
                    };
                    properties: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Something in it was hidden.
                     * @constant
                     */
                    redacted?: true;
                    uri?: string;
                };
                response: {
                    /** @description The message's attachments, without their bytes; absent: it has none. */
                    attachments?: {
                        bytes: number;
                        contentType: string;
                        fileName?: string;
                        name: string;
                    }[];
                    body: unknown;
                    bodyType: string;
                    /**
                     * @description Something of it is not whole.
                     * @constant
                     */
                    cut?: true;
                    /** @constant */
                    encoding?: "base64";
                    headers: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Something in it was hidden.
                     * @constant
                     */
                    redacted?: true;
                    status?: number;
                } | null;
                routeId: string;
                runId: string;
                seq: number;
                stepId: string;
            }[];
            runs: string[];
            /** @enum {string} */
            scope: "deployment" | "session";
            sessionId: string;
            /** @description The flow has been deployed anew, or removed, since. */
            stale: boolean;
            /** @description Calls that were counted and that nothing is kept of: over the limit, or lost with their thread. */
            unrecorded: {
                lost: number;
                overLimit: number;
            };
            /** @description Places of mocks that nothing has called. */
            unusedMocks: number[];
        };
        /** @description Mocks of steps and of endpoints, and what is to be true of their calls at the end. Fields that are not known are left out with a warning, or refused with strict=true. */
        TestSessionRequestInput: {
            /** @description Such as {"mockCalled": {"stepId": "to-crm", "times": 2, "with": {"body": {"$contains": {"id": 17}}}}}. */
            assertions?: Record<string, unknown>[];
            /** @description Absent: the flow that has the steps which the mocks name. */
            flowId?: string;
            /** @description What test/invoke begins when it names nothing. */
            invoke?: (({
                /** @description Any JSON value. */
                body?: unknown;
                /** @description In place of a body: bytes. */
                bodyBase64?: string;
                /** @description direct:name, of the flow or of replaceFrom; also as uri. */
                endpoint?: string;
                headers?: {
                    [key: string]: unknown;
                };
                /** @description In place of an endpoint. */
                routeId?: string;
                timeoutMs?: number;
                uri?: string;
            } & {
                [key: string]: unknown;
            }) & (unknown & unknown & unknown & unknown)) | unknown | unknown | unknown;
            /** @description A list of {"stepId" or "uri", one of "respond", "throw", "spy", "sequence", and "times", "after", "when"}; or an object: by step id one such, or a list. */
            mocks?: unknown[] | Record<string, unknown>;
            name?: string;
            /** @description The report shows them. */
            notes?: string[] | string;
            recordedFrom?: {
                hash: string;
                runId: string;
            };
            /** @description By route id the direct: endpoint by which test/invoke begins it. */
            replaceFrom?: {
                [key: string]: string;
            };
            /**
             * @default deployment
             * @enum {unknown}
             */
            scope: "deployment" | "session";
            /** @description At most testSessionMostMs. */
            ttlMs?: number;
        } & {
            [key: string]: unknown;
        };
        TestSessionSummary: {
            closed: boolean;
            expired: boolean;
            expiresAt: string;
            flowId: string;
            hash: string;
            name: string | null;
            /** @description Whether all assertions hold; null while the session is open. */
            passed: boolean | null;
            /** @enum {string} */
            scope: "deployment" | "session";
            sessionId: string;
            /** @description The flow has been deployed anew, or removed, since. */
            stale: boolean;
        };
        TraceEvent: {
            /**
             * @description What the mock did.
             * @enum {string}
             */
            action?: "respond" | "throw" | "spy";
            /** @description On retry.scheduled: the number of the retry, from 1. */
            attempt?: number;
            /** @description The branch that a choice took: the index of its when, -1 for otherwise. */
            branch?: number;
            /** @description On failure.handled: what handled it, and its line. */
            by?: string;
            /** @description Runs that were lost with the thread. */
            collateral?: string[];
            collateralCount?: number;
            /** @description On retry.scheduled: the wait before it. */
            delayMs?: number;
            durationMs?: number;
            error?: {
                /** @description Of a failed call: what the server answered, redacted, at most 4 KiB of its body. Not with record: off. */
                detail?: {
                    body: string;
                    headers: {
                        [key: string]: string;
                    };
                    status: number;
                };
                line: number | null;
                message: string;
                stepId: string | null;
                type: string;
            };
            flowId: string;
            /** @description On deployment events. */
            hash?: string;
            /** @description The message before the step, as the reader's body= wants it. */
            in?: {
                /** @description The message's attachments, without their bytes; absent: it has none. */
                attachments?: {
                    bytes: number;
                    contentType: string;
                    fileName?: string;
                    name: string;
                }[];
                body: string;
                bodyType: string;
                headers: {
                    [key: string]: string;
                };
            };
            /** @description The limit that ended the run, in the limit's unit. */
            limit?: {
                allowed: number;
                name: string;
                used: number;
            };
            line?: number;
            /** @description The run that its thread was killed for. */
            lostWith?: string;
            message?: string;
            /** @description The index of the mock that answered or observed the step. */
            mock?: number;
            /** @description The message after the step. */
            out?: {
                /** @description The message's attachments, without their bytes; absent: it has none. */
                attachments?: {
                    bytes: number;
                    contentType: string;
                    fileName?: string;
                    name: string;
                }[];
                body: string;
                bodyType: string;
                headers: {
                    [key: string]: string;
                };
            };
            outcome?: string;
            /** @description The run that caused this one. */
            parentRunId?: string;
            revision?: number;
            routeId?: string;
            runId?: string;
            spanId?: string;
            /** @description Of a run, on its events. */
            status?: string;
            stepId?: string;
            stepType?: string;
            /** @description Of a run in several test sessions the first one's. */
            testSessionId?: string;
            traceId?: string;
            /** @description ISO 8601, UTC, milliseconds. */
            ts: string;
            /** @enum {string} */
            type: "run.started" | "run.restarted" | "run.completed" | "run.failed" | "run.killed" | "run.shed" | "step.started" | "step.completed" | "step.failed" | "step.mocked" | "branch.taken" | "retry.scheduled" | "failure.handled" | "deploy.completed" | "deploy.failed" | "flow.quarantined";
            /** @description The number of the thread. */
            worker?: number;
        };
        Usage: {
            /** @description What is really covered: at the earliest the runtime's start, or a week ago. */
            from: string;
            /** @enum {string} */
            groupBy: "flow" | "group" | "none";
            /**
             * @description from is rounded down to it: minutes are kept for an hour.
             * @enum {string}
             */
            resolution: "minute" | "hour";
            to: string;
            usage: components["schemas"]["UsageEntry"][];
        };
        UsageEntry: {
            /** @description Bodies that runs began with. */
            bytesIn: number;
            /** @description Bodies of the answers of its webhooks and paths. */
            bytesOut: number;
            /** @description CPU time of its threads, their boot included; without V8's helper threads. */
            cpuMs: number;
            /**
             * @description The flow is not installed any more, or never was.
             * @constant
             */
            deleted?: true;
            /** @description Times that a thread lost its priority. */
            demotions: number;
            /** @description With groupBy=flow. */
            flowId?: string;
            /** @description With groupBy=group: the ids of its flows up to their first dot; empty: those without one. */
            group?: string;
            /** @description Threads that were killed. */
            kills: number;
            now: {
                /** @description Their memory outside of the heap: array buffers, WebAssembly, long texts. */
                externalBytes: number;
                /** @description V8's heaps of its threads, as they were last seen. */
                heapBytes: number;
                /** @description Runs under way. */
                inflight: number;
                /** @description Runs that wait for a thread, and messages in threads that wait for runs of their own. */
                queued: number;
                threads: number;
            };
            /** @description Calls of endpoints that leave the flow. */
            outboundCalls: number;
            peakExternalBytes: number;
            /** @description The most at one time; of several flows their sum, though not of one time. */
            peakHeapBytes: number;
            /** @description Runs that were begun anew, because their thread was lost for another run. */
            reruns: number;
            runs: {
                cancelled: number;
                completed: number;
                failed: number;
                killed: number;
                shed: number;
                timeout: number;
            };
            /** @description One for each second of each thread. */
            threadSeconds: number;
        };
        ValidateAnswer: {
            diagnostics: {
                code: string;
                column: number | null;
                endColumn: number | null;
                endLine: number | null;
                line: number | null;
                message: string;
                pointer: string;
                routeId: string | null;
                /** @enum {string} */
                severity: "error" | "warning";
                stepId: string | null;
            }[];
            plan: components["schemas"]["Plan"];
            routeCount: number;
            valid: boolean;
        };
        ValidatedTestSession: {
            /** @description All of them, with their places as JSON Pointers; empty: the whole document. */
            problems: {
                message: string;
                pointer: string;
            }[];
            valid: boolean;
            /** @description What would have no effect, as opening the session warns of it. */
            warnings: string[];
        };
        ValueLookupAnswer: {
            /** @description What a run would fail with. */
            error?: string;
            /** @description false: the value is given in place of one that is not in the mapping. */
            found: boolean;
            value: unknown;
        };
        ValueLookupInput: {
            default?: unknown;
            from?: string;
            /** @enum {string} */
            onMissing?: "error" | "default" | "passthrough" | "null";
            qualifiers?: {
                [key: string]: unknown;
            };
            to?: string;
            value: unknown;
        };
        /** @description A value mapping: {"columns", "rows", "lookups", "tests"}, or a short form such as {"entries": {"DE": "Germany"}}. */
        ValueMappingInput: Record<string, unknown>;
        ValueMappingPutAnswer: {
            columns: string[];
            hash: string;
            id: string;
            revision: number;
            rows: number;
            tests: {
                failed: number;
                passed: number;
            };
            /** @description Steps of deployed flows, and message mappings. */
            usedBy: ({
                flowId: string;
                routeId: string;
                stepId: string;
            } | {
                /** @description A message mapping. */
                mapping: string;
            })[];
            warnings: {
                code: string;
                message: string;
            }[];
        };
        ValueMappingSummary: {
            columns: string[];
            /** @description Why no run can use it. */
            error?: string;
            hash: string;
            id: string;
            lastModified: string;
            name: string;
            rows: number;
            /** @description Steps of deployed flows, and message mappings. */
            usedBy: ({
                flowId: string;
                routeId: string;
                stepId: string;
            } | {
                /** @description A message mapping. */
                mapping: string;
            })[];
        };
        ValueMappingTrialAnswer: {
            columns?: string[];
            /** @description With value; absent when the problems leave no table to look it up in. */
            lookup?: components["schemas"]["ValueLookupAnswer"];
            problemCount: number;
            /** @description What a PUT would refuse the document for, each with its place; the first 20. */
            problems: {
                message: string;
                pointer: string;
            }[];
            rows?: number;
            tests?: {
                failed: number;
                passed: number;
            };
            warnings: {
                code: string;
                message: string;
            }[];
        };
        /** @description A document to try: {"document": ...}. With "value", and "from", "to", "qualifiers", "onMissing" and "default" if need be, the value is looked up in it. */
        ValueMappingTrialInput: {
            /** @description Any JSON value. */
            default?: unknown;
            document: {
                [key: string]: unknown;
            };
            /** @description The name of a column. */
            from?: string;
            /** @enum {string} */
            onMissing?: "error" | "default" | "passthrough" | "null";
            qualifiers?: {
                [key: string]: unknown;
            };
            /** @description The name of a column. */
            to?: string;
            /** @description Any JSON value. */
            value?: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAudit: {
        parameters: {
            query?: {
                action?: "flows.write" | "flows.operate" | "mappings.write" | "policies.write" | "connections.write" | "connections.test" | "state.write" | "runs.start" | "runs.cancel" | "tests.run" | "failed.read" | "failed.retry" | "failed.discard" | "runtime.backup" | "refused" | "refused.more" | "audit.torn" | "audit.restarted" | "audit.lost";
                /** @description Only lines before the one with this seq. */
                before?: number;
                limit?: number;
                /** @description failed: the answer was an error. */
                outcome?: "succeeded" | "failed";
                /** @description Lines with this resource, and those about what is in it: orders is the resource of orders/seen, too. */
                resource?: string;
                /** @description Reading ends at the first line from before it. */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines that match. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per policy, without its document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstalledPolicy"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                flowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description As the caller has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putPolicy: {
        parameters: {
            query?: {
                strict?: boolean;
            };
            header?: never;
            path: {
                flowId: string;
            };
            cookie?: never;
        };
        /** @description The policy: principals, rules, limits; or one of the short forms. */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Replaced, or unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstalledPolicy"];
                };
            };
            /** @description Installed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstalledPolicy"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: id_case_clash. */
            409: {
                headers: {
                    "X-Error-Code": "id_case_clash";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: policy_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "policy_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                flowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedPolicy"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                flowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyQuestionInput"];
            };
        };
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyExplanation"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBackup: {
        parameters: {
            query?: {
                /** @description Adds DATA_DIR/data.key, which stored messages are encrypted with: readers of the archive can decrypt them. */
                dataKey?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tar archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: too_many_in_flight. */
            429: {
                headers: {
                    "X-Error-Code": "too_many_in_flight";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalog"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConnectionSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry for each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSummary"][];
                };
            };
            /** @description As the caller has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionDetail"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionInput"];
            };
        };
        responses: {
            /** @description Replaced, or unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPutAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPutAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: id_case_clash. */
            409: {
                headers: {
                    "X-Error-Code": "id_case_clash";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: connection_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "connection_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionDeleteAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: connection_in_use. */
            409: {
                headers: {
                    "X-Error-Code": "connection_in_use";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConnectionTestInput"];
            };
        };
        responses: {
            /** @description What was found, or why the connection cannot be opened. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTestAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: connection_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "connection_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deploySet: {
        parameters: {
            query?: {
                dryRun?: boolean;
                expectRemovals?: number;
                /** @description What the flow keeps between messages stays, for a flow that is made again under the id. */
                keep?: "state";
                prune?: boolean;
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetInput"];
            };
        };
        responses: {
            /** @description Deployed, or (dryRun) planned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: route_taken, direct_taken, path_taken, connection_missing, state_in_use, id_case_clash, id_taken, mapping_in_use, connection_in_use, removals_refused. */
            409: {
                headers: {
                    "X-Error-Code": "route_taken" | "direct_taken" | "path_taken" | "connection_missing" | "state_in_use" | "id_case_clash" | "id_taken" | "mapping_in_use" | "connection_in_use" | "removals_refused";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_invalid, limit_not_allowed, flow_failed, mapping_invalid, policy_invalid, connection_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "flow_invalid" | "limit_not_allowed" | "flow_failed" | "mapping_invalid" | "policy_invalid" | "connection_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, no_thread, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "no_thread" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFailed: {
        parameters: {
            query?: {
                before?: string;
                flowId?: string;
                limit?: number;
                routeId?: string;
                since?: string;
                state?: "waiting" | "retrying" | "retried" | "discarded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages that match, without their content. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedMessage"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFailed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedMessageDetail"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    discardFailed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Discarded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedMessage"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_retryable. */
            409: {
                headers: {
                    "X-Error-Code": "not_retryable";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryFailed: {
        parameters: {
            query?: {
                wait?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GivenMessageInput"];
            };
        };
        responses: {
            /** @description With wait=true: the run has ended, well or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestInvokeAnswer"];
                };
            };
            /** @description The run is under way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunRetry"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_retryable, retry_in_progress. */
            409: {
                headers: {
                    "X-Error-Code": "not_retryable" | "retry_in_progress";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_quarantined_locked. */
            423: {
                headers: {
                    "X-Error-Code": "flow_quarantined_locked";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, overloaded. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "overloaded";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: run_timeout. */
            504: {
                headers: {
                    "X-Error-Code": "run_timeout";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    discardManyFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailedSelectionInput"];
            };
        };
        responses: {
            /** @description How many they are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCount"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryManyFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailedSelectionInput"];
            };
        };
        responses: {
            /** @description How many they are. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedCount"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_retryable. */
            409: {
                headers: {
                    "X-Error-Code": "not_retryable";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, overloaded. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "overloaded";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFlowSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON Schema 2020-12. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFlows: {
        parameters: {
            query?: {
                usage?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowSummary"][];
                };
            };
            /** @description As the caller has it; not with usage=true, which changes all the time. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The flow. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowDetail"];
                    "application/yaml": string;
                };
            };
            /** @description The file is as the caller has it (application/yaml only). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putFlow: {
        parameters: {
            query?: {
                drainMs?: number;
                dryRun?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowDocumentInput"];
                "application/yaml": string;
            };
        };
        responses: {
            /** @description Replaced, unchanged, or (dryRun) planned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: route_taken, direct_taken, path_taken, connection_missing, state_in_use, id_case_clash, id_taken. */
            409: {
                headers: {
                    "X-Error-Code": "route_taken" | "direct_taken" | "path_taken" | "connection_missing" | "state_in_use" | "id_case_clash" | "id_taken";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_invalid, limit_not_allowed, flow_failed, policy_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "flow_invalid" | "limit_not_allowed" | "flow_failed" | "policy_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, no_thread, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "no_thread" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFlow: {
        parameters: {
            query?: {
                drainMs?: number;
                /** @description What remains: `state` is what the flow stores between messages, for a later flow of the same id. `file` is its YAML: the runtime deploys the flow again when you change or reload it, or when the runtime starts. */
                keep?: "state" | "file" | "state,file";
                purge?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "flow_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reloadFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deployed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: route_taken, direct_taken, path_taken, connection_missing, state_in_use, id_case_clash. */
            409: {
                headers: {
                    "X-Error-Code": "route_taken" | "direct_taken" | "path_taken" | "connection_missing" | "state_in_use" | "id_case_clash";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_invalid, limit_not_allowed, flow_failed, policy_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "flow_invalid" | "limit_not_allowed" | "flow_failed" | "policy_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, no_thread, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "no_thread" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRevisions: {
        parameters: {
            query?: {
                yaml?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per revision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revision"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rollbackFlow: {
        parameters: {
            query?: {
                drainMs?: number;
                dryRun?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackInput"];
            };
        };
        responses: {
            /** @description Replaced, unchanged (it is that revision already), or (dryRun) planned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutAnswer"];
                };
            };
            /** @description The deleted flow is back. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: route_taken, direct_taken, path_taken, connection_missing, state_in_use, id_case_clash, id_taken. */
            409: {
                headers: {
                    "X-Error-Code": "route_taken" | "direct_taken" | "path_taken" | "connection_missing" | "state_in_use" | "id_case_clash" | "id_taken";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_invalid, limit_not_allowed, flow_failed. */
            422: {
                headers: {
                    "X-Error-Code": "flow_invalid" | "limit_not_allowed" | "flow_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, no_thread, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "no_thread" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    peekMessages: {
        parameters: {
            query?: {
                /** @description The most messages; 10 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
                routeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order in which they would be taken. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeekedMessage"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_peekable. */
            409: {
                headers: {
                    "X-Error-Code": "not_peekable";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    triggerRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                routeId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GivenMessageInput"];
            };
        };
        responses: {
            /** @description The run has ended, well or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestInvokeAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_triggerable. */
            409: {
                headers: {
                    "X-Error-Code": "not_triggerable";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_quarantined_locked. */
            423: {
                headers: {
                    "X-Error-Code": "flow_quarantined_locked";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, overloaded. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "overloaded";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: run_timeout. */
            504: {
                headers: {
                    "X-Error-Code": "run_timeout";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry for each name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretName"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowDetail"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: route_taken, direct_taken, path_taken, connection_missing, state_in_use, id_case_clash. */
            409: {
                headers: {
                    "X-Error-Code": "route_taken" | "direct_taken" | "path_taken" | "connection_missing" | "state_in_use" | "id_case_clash";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_invalid, limit_not_allowed, flow_failed, policy_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "flow_invalid" | "limit_not_allowed" | "flow_failed" | "policy_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, no_thread, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "no_thread" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per repository. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StateRepository"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listStateKeys: {
        parameters: {
            query?: {
                limit?: number;
                prefix?: string;
            };
            header?: never;
            path: {
                id: string;
                /** @description A bean's name, a step's id, or what a consumer makes of its scheme and its route's id, such as `file:orders`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StateKey"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteState: {
        parameters: {
            query?: {
                key?: string;
            };
            header?: never;
            path: {
                id: string;
                /** @description A bean's name, a step's id, or what a consumer makes of its scheme and its route's id, such as `file:orders`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedState"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stopFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowDetail"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_invalid, policy_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "flow_invalid" | "policy_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    validateFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowDocumentInput"];
                "application/yaml": string;
            };
        };
        responses: {
            /** @description Valid or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: {
                /** @description The status is DEGRADED, too, while at least half of the last 20 runs of a route failed, while a connection cannot be opened, and while a consumer cannot poll. */
                failing?: "degraded";
                probe?: "live" | "ready";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_ready. */
            503: {
                headers: {
                    "X-Error-Code": "not_ready";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per limit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limit"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamLogs: {
        parameters: {
            query?: {
                /** @description Events of this flow, or of these; * stands for any characters. */
                flowId?: string | string[];
                /** @description As the header Last-Event-ID. */
                lastEventId?: string;
                /** @description The least severe level to send. */
                level?: string | string[];
                /** @description So many of the last events first. */
                replay?: string;
                /** @description Events of this route, or of these; * stands for any characters. */
                routeId?: string | string[];
                /** @description Events of this run, or of these; * stands for any characters. */
                runId?: string | string[];
                /** @description The share of runs to send, above 0 to 1. */
                sample?: string;
                /** @description Events of this test session, or of these; * stands for any characters. */
                session?: string | string[];
                /** @description Events of this step, or of these; * stands for any characters. */
                stepId?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: too_many_subscribers. */
            429: {
                headers: {
                    "X-Error-Code": "too_many_subscribers";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, overloaded, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "overloaded" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMessageMappings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry for each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageMappingSummary"][];
                };
            };
            /** @description As the caller has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMessageMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mapping. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description As the caller has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMessageMapping: {
        parameters: {
            query?: {
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageMappingInput"];
            };
        };
        responses: {
            /** @description Replaced or unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageMappingPutAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageMappingPutAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: id_case_clash. */
            409: {
                headers: {
                    "X-Error-Code": "id_case_clash";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mapping_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "mapping_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMessageMapping: {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MappingDeleteAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mapping_in_use. */
            409: {
                headers: {
                    "X-Error-Code": "mapping_in_use";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testMessageMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MappingTrialInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MappingTrialAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mapping_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "mapping_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exposition. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                before?: string;
                flowId?: string;
                limit?: number;
                routeId?: string;
                since?: string;
                status?: "running" | "completed" | "failed" | "timeout" | "killed" | "shed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs that match. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Asked; the run as it is now. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: run_finished. */
            409: {
                headers: {
                    "X-Error-Code": "run_finished";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRunFixture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What POST /_api/test/session takes as it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fixture"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: run_not_recorded. */
            409: {
                headers: {
                    "X-Error-Code": "run_not_recorded";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tryExpression: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExpressionTrialInput"];
            };
        };
        responses: {
            /** @description Its value, or why it has none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpressionValue"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    invokeInTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestInvokeRequestInput"];
            };
        };
        responses: {
            /** @description The run has ended, well or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestInvokeAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: session_closed. */
            409: {
                headers: {
                    "X-Error-Code": "session_closed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_invocable. */
            422: {
                headers: {
                    "X-Error-Code": "not_invocable";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: flow_quarantined_locked. */
            423: {
                headers: {
                    "X-Error-Code": "flow_quarantined_locked";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: run_timeout. */
            504: {
                headers: {
                    "X-Error-Code": "run_timeout";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTestSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, without what they have seen. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSessionSummary"][];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openTestSession: {
        parameters: {
            query?: {
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestSessionRequestInput"];
            };
        };
        responses: {
            /** @description Open: runs that begin from now on are mocked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedTestSession"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: scope_forbidden. */
            403: {
                headers: {
                    "X-Error-Code": "scope_forbidden";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mock_conflict. */
            409: {
                headers: {
                    "X-Error-Code": "mock_conflict";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: session_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "session_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: too_many_sessions. */
            429: {
                headers: {
                    "X-Error-Code": "too_many_sessions";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTestSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSessionReport"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    closeTestSession: {
        parameters: {
            query?: {
                waitMs?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestSessionAssertionsInput"];
            };
        };
        responses: {
            /** @description Closed; once more answers the same. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSessionReport"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: session_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "session_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    validateTestSession: {
        parameters: {
            query?: {
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestSessionRequestInput"];
            };
        };
        responses: {
            /** @description Valid or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidatedTestSession"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamTrace: {
        parameters: {
            query?: {
                /** @description How much of bodies is sent; none by default. */
                body?: "none" | "preview" | "full";
                /** @description Events of this flow, or of these; * stands for any characters. */
                flowId?: string | string[];
                /** @description As the header Last-Event-ID. */
                lastEventId?: string;
                /** @description So many of the last events first. */
                replay?: string;
                /** @description Events of this route, or of these; * stands for any characters. */
                routeId?: string | string[];
                /** @description Events of this run, or of these; * stands for any characters. */
                runId?: string | string[];
                /** @description The share of runs to send, above 0 to 1. */
                sample?: string;
                /** @description Events of this test session, or of these; * stands for any characters. */
                session?: string | string[];
                /** @description Of runs with this status, or with these; * as in type. */
                status?: string | string[];
                /** @description Events of this step, or of these; * stands for any characters. */
                stepId?: string | string[];
                /** @description Of this type, or of these; * stands for any characters, and must give one. */
                type?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: too_many_subscribers. */
            429: {
                headers: {
                    "X-Error-Code": "too_many_subscribers";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, overloaded, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "overloaded" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                groupBy?: "flow" | "group" | "none";
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per flow or group, sorted by it; or one for all. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listValueMappings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry for each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValueMappingSummary"][];
                };
            };
            /** @description As the caller has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getValueMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mapping. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
                };
            };
            /** @description As the caller has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mapping_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "mapping_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putValueMapping: {
        parameters: {
            query?: {
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValueMappingInput"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description Replaced or unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValueMappingPutAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValueMappingPutAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: id_case_clash. */
            409: {
                headers: {
                    "X-Error-Code": "id_case_clash";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mapping_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "mapping_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteValueMapping: {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MappingDeleteAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mapping_in_use. */
            409: {
                headers: {
                    "X-Error-Code": "mapping_in_use";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: precondition_failed. */
            412: {
                headers: {
                    "X-Error-Code": "precondition_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal, audit_failed, store_failed. */
            500: {
                headers: {
                    "X-Error-Code": "internal" | "audit_failed" | "store_failed";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, lock_lost, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "lock_lost" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: disk_full. */
            507: {
                headers: {
                    "X-Error-Code": "disk_full";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    lookUpValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValueLookupInput"];
            };
        };
        responses: {
            /** @description What a step would have. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValueLookupAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: not_found. */
            404: {
                headers: {
                    "X-Error-Code": "not_found";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: mapping_invalid. */
            422: {
                headers: {
                    "X-Error-Code": "mapping_invalid";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testValueMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValueMappingTrialInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValueMappingTrialAnswer"];
                };
            };
            /** @description X-Error-Code: bad_target, bad_id, bad_query, bad_request, bad_json. */
            400: {
                headers: {
                    "X-Error-Code": "bad_target" | "bad_id" | "bad_query" | "bad_request" | "bad_json";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unauthorized. */
            401: {
                headers: {
                    "X-Error-Code": "unauthorized";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: body_too_large. */
            413: {
                headers: {
                    "X-Error-Code": "body_too_large";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: unsupported_media_type. */
            415: {
                headers: {
                    "X-Error-Code": "unsupported_media_type";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: internal. */
            500: {
                headers: {
                    "X-Error-Code": "internal";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description X-Error-Code: token_not_configured, draining. */
            503: {
                headers: {
                    "X-Error-Code": "token_not_configured" | "draining";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
