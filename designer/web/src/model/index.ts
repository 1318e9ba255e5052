/** The model of a flow: its text is the only state, and every edit a list of changes of it. */
export { addBranch, type BranchKind, removeBranch } from "./branches.ts";
export { callsOf, type NamedRoute } from "./calls.ts";
export {
  type Catalog,
  type Entry,
  entryOf,
  formatsOf,
  type OptionGroup,
  type OptionView,
  optionsOf,
} from "./catalog-view.ts";
export { copySteps, duplicateStep, pasteSteps } from "./clipboard.ts";
export { applyChanges, parse } from "./document.ts";
export { type ExpressionText, expressionOf, languageNames, removeExpression, setExpression } from "./expression.ts";
export { freshFlow } from "./fresh-flow.ts";
export { allSteps, newStepId, stepIds, stepsWithoutId } from "./ids.ts";
export { directName } from "./names.ts";
export { newStep } from "./new-step.ts";
export type {
  Branch,
  FlowTree,
  Link,
  OtherNode,
  Problem,
  RestOperation,
  RouteNode,
  StepNode,
  TriggerNode,
} from "./nodes.ts";
export { valueAt } from "./place.ts";
export {
  type Diagnostic,
  diagnosticRange,
  type LineColumn,
  lineColumnAt,
  offsetAt,
  pathOfPointer,
  stepAt,
  stepOfDiagnostic,
} from "./position.ts";
export { EditRefused, type Refusal } from "./refused.ts";
export { type RenamedRoutes, renameRoutes } from "./rename-routes.ts";
export { renamedTests } from "./renamed-tests.ts";
export { secretsInText, secretsOf } from "./secrets.ts";
export { isListAt, optionsAt, removeOption, setOption } from "./set-option.ts";
export { shortOption } from "./short-forms.ts";
export { slug } from "./slug.ts";
export { insertStep, moveStep, removeStep, replaceStep } from "./steps.ts";
export { addRoute, addTopLevel, removeRoute } from "./top-level.ts";
export { isFlowPart, tree } from "./tree.ts";
export type { Change, FlowText, Path, Range, TextError } from "./types.ts";
