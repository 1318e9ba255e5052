/**
 * The tests of `npm run test:browser -- --smoke`: the main story, and one screen of each kind. File -> name of the test ->
 * why it is here. A chosen test must not need another one of its file.
 */
type Reasons = Readonly<Record<string, string>>;

const looked = (screen: string): string =>
  `${screen}: accessible in light and in dark, without errors, and no wider than a phone`;

export const smoke: Readonly<Record<string, Reasons>> = {
  "test/designer/browser/story.browser.ts": {
    "By mouse: new flow, edit, try, deploy, watch, fail, repair, roll back":
      "the main story: it goes through the list, the editor, its form, deployment, runs, live and revisions",
    "By keyboard: new flow, edit, try, deploy, watch, fail, repair, roll back":
      "the same without a mouse: focus, shortcuts and the command palette",
  },
  "test/designer/browser/screens.browser.ts": {
    [looked("flows")]: "a list",
    [looked("editor-form")]: "the editor",
    [looked("deploy")]: "the deployment, a dialog",
    [looked("run")]: "a run",
    [looked("connection")]: "a form",
    [looked("operations-health")]: "operations",
    [looked("settings")]: "the settings",
  },
  "test/designer/browser/value-mappings.browser.ts": {
    "cells are edited with the keyboard, checked as one types, taken back, and installed": "the grid of value mappings",
  },
  "test/designer/browser/message-mappings.browser.ts": {
    "fields are dragged onto fields: rules, loops and lines come of it, with their results at once":
      "the editor of message mappings",
  },
  "test/designer/browser/roles.browser.ts": {
    "a viewer reads, and is offered nothing that changes anything": "the login, and what a role is offered",
  },
};
