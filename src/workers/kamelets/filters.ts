/** Kamelets that filter messages: a message that does not pass is stopped without an error. */
import { type KameletDefinition, needed, text } from "./definition.ts";

function stopping({
  predicate,
  ...definition
}: Omit<KameletDefinition, "template"> & { readonly predicate: string }): KameletDefinition {
  return {
    ...definition,
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
  docs: "Lets messages go on that have a header, or have it with one value.",
  properties: {
    name: needed("The header's name."),
    value: text("The value that the header must have; without it any value is well."),
  },
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

/**
 * Camel's JSONPath applies a filter to the object itself, RFC 9535 to its values, so the template wraps the object in a
 * list.
 */
const predicateFilter: KameletDefinition = {
  name: "predicate-filter-action",
  docs: "Lets messages go on whose JSON meets a condition.",
  properties: { expression: needed("The condition, as JSONPath has it between `?(` and `)`: `@.price > 10`.") },
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
  stopping({
    name: "header-matches-filter-action",
    docs: "Lets messages go on whose header matches a regular expression.",
    properties: {
      regex: needed("The regular expression, over the whole value."),
      // Camel's own template does not start without it.
      headerName: needed("The header's name."),
    },
    predicate: "${header[{{headerName}}]} !regex '{{regex}}'",
  }),
  stopping({
    name: "topic-name-matches-filter-action",
    docs: "Lets messages go on whose header CamelKafkaTopic matches a regular expression.",
    properties: { regex: needed("The regular expression, over the topic's whole name.") },
    predicate: "${header[CamelKafkaTopic]} !regex '{{regex}}'",
  }),
  stopping({
    name: "is-tombstone-filter-action",
    docs: "Lets messages go on that have a body.",
    properties: {},
    predicate: "${body} == null || ${body} == ''",
  }),
  stopping({
    name: "simple-filter-action",
    docs: "Stops messages for which a condition holds; the others go on.",
    properties: { expression: needed("The condition in simple, such as `${header.test} == 1`.") },
    predicate: "{{expression}}",
  }),
  hasHeader,
  predicateFilter,
];
