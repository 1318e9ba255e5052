/** Kamelets that let a message go on or not: a message that does not is stopped, which is no error. */
import { type KameletDefinition, needed, text } from "./definition.ts";

function stopping(name: string, properties: KameletDefinition["properties"], predicate: string): KameletDefinition {
  return {
    name,
    properties,
    template: `from:
  uri: kamelet:source
  steps:
    - filter:
        simple: "${predicate}"
        steps:
          - stop: {}`,
  };
}

const hasHeader: KameletDefinition = {
  name: "has-header-filter-action",
  properties: { name: needed, value: text },
  template: `from:
  uri: kamelet:source
  steps:
    - setProperty: { name: hasHeaderFilterActionValue, constant: "{{value:}}" }
    - choice:
        when:
          - simple: "\${exchangeProperty[hasHeaderFilterActionValue]} != ''"
            steps:
              - filter:
                  simple: "\${header[{{name}}]} != \${exchangeProperty[hasHeaderFilterActionValue]}"
                  steps:
                    - stop: {}
        otherwise:
          steps:
            - filter:
                simple: "\${header[{{name}}]} == null"
                steps:
                  - stop: {}`,
};

/** Camel's JSONPath tries a filter on an object itself, RFC 9535 on its values: so the object is put into a list. */
const predicateFilter: KameletDefinition = {
  name: "predicate-filter-action",
  properties: { expression: needed },
  template: `from:
  uri: kamelet:source
  steps:
    - setVariable: { name: CamelKameletsBody, jsonpath: "$" }
    - filter:
        simple: "\${variable.CamelKameletsBody} !is 'java.util.List'"
        steps:
          - setVariable: { name: CamelKameletsBody, simple: "\${list(\${variable.CamelKameletsBody})}" }
    - filter:
        jsonpath: { expression: "$[?(!({{expression}}))]", source: "variable:CamelKameletsBody" }
        steps:
          - stop: {}
    - removeVariable: CamelKameletsBody`,
};

export const filterKamelets: readonly KameletDefinition[] = [
  // headerName: without it, Camel's own template does not start.
  stopping(
    "header-matches-filter-action",
    { regex: needed, headerName: needed },
    "${header[{{headerName}}]} !regex '{{regex}}'",
  ),
  stopping("topic-name-matches-filter-action", { regex: needed }, "${header[CamelKafkaTopic]} !regex '{{regex}}'"),
  stopping("is-tombstone-filter-action", {}, "${body} == null || ${body} == ''"),
  stopping("simple-filter-action", { expression: needed }, "{{expression}}"),
  hasHeader,
  predicateFilter,
];
