/** Kamelets that add, remove or extract fields of JSON (Camel: org.apache.camel.component.kafka.transform). */
import { type KameletDefinition, needed } from "./definition.ts";

/** Parses JSON text; `deserialized` marks that the result must become text again. */
const read = `    - choice:
        when:
          - simple: "\${header[Content-Type]} == 'application/json'"
            steps:
              - setProperty: { name: deserialized, constant: "true" }
              - unmarshal: { json: {} }
          - simple: "\${body} is 'java.lang.String'"
            steps:
              - unmarshal: { json: {} }
          - simple: "\${body} == null"
            steps:
              - throwException: { exceptionType: org.apache.camel.InvalidPayloadException, message: "No body available of type: JsonNode" }`;

const write = `- marshal: { json: {} }
              - setHeader: { name: Content-Type, constant: application/json }`;

const insertField: KameletDefinition = {
  name: "insert-field-action",
  docs: "Puts a field into a JSON object, or an element behind those of a JSON list.",
  properties: {
    field: needed("The field's name; a list takes no notice of it."),
    value: needed("The field's value; a simple template."),
  },
  template: `from:
  uri: kamelet:source
  steps:
${read}
    - setProperty: { name: CamelKameletsField, constant: "{{field}}" }
    - setProperty: { name: CamelKameletsValue, simple: { expression: "{{value}}", resultType: java.lang.String } }
    - choice:
        when:
          - simple: "\${body} is 'java.util.List'"
            steps:
              - setBody: { simple: "\${listAdd(\${exchangeProperty.CamelKameletsValue})}" }
        otherwise:
          steps:
            - setBody: { simple: "\${mapAdd(\${exchangeProperty.CamelKameletsField},\${exchangeProperty.CamelKameletsValue})}" }
    - removeProperties: "CamelKamelets*"
    - choice:
        when:
          - simple: "\${exchangeProperty[deserialized]} == 'true'"
            steps:
              ${write}`,
};

const extractField: KameletDefinition = {
  name: "extract-field-action",
  docs: "Takes one field out of a JSON object: it becomes the body, or a header.",
  properties: {
    field: needed("The field's name."),
    headerOutput: {
      type: "boolean",
      default: "false",
      words: "Puts the field into a header, and leaves the body as it is.",
    },
    headerOutputName: {
      type: "string",
      default: "none",
      words: "The header's name; with `none` it is CamelKameletsExtractFieldName.",
    },
    strictHeaderCheck: {
      type: "boolean",
      default: "false",
      words: "When the header is there already, the field becomes the body in place of it.",
    },
    trimField: { type: "boolean", default: "false", words: "Gives the field as it is, in place of JSON text." },
  },
  template: `from:
  uri: kamelet:source
  steps:
${read}
    - setProperty: { name: CamelKameletsField, constant: "{{field}}" }
    - setProperty: { name: CamelKameletsHeader, constant: "{{headerOutputName}}" }
    - filter:
        simple: "\${exchangeProperty.CamelKameletsHeader} =~ 'none'"
        steps:
          - setProperty: { name: CamelKameletsHeader, constant: CamelKameletsExtractFieldName }
    - setProperty: { name: CamelKameletsStrict, constant: "{{strictHeaderCheck}}" }
    - filter:
        simple: "\${header[\${exchangeProperty.CamelKameletsHeader}]} == null"
        steps:
          - setProperty: { name: CamelKameletsStrict, constant: "false" }
    - choice:
        when:
          - simple: "'{{headerOutput}}' =~ 'true' && \${exchangeProperty.CamelKameletsStrict} !=~ 'true'"
            steps:
              - setHeader:
                  name: "\${exchangeProperty.CamelKameletsHeader}"
                  simple: "\${body[\${exchangeProperty.CamelKameletsField}]}"
        otherwise:
          steps:
            - setBody: { simple: "\${body[\${exchangeProperty.CamelKameletsField}]}" }
    - removeProperties: "CamelKamelets*"
    - setProperty: { name: trimField, constant: "{{trimField}}" }
    - choice:
        when:
          - simple: "'{{trimField}}' =~ 'false' && \${exchangeProperty[deserialized]} == 'true'"
            steps:
              ${write}`,
};

export const fieldKamelets = [insertField, extractField];
