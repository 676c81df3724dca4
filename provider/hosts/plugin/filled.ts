import { capitalized } from "../../values/phrases";

/** The arguments of the setters of a message, by the names of its fields. */
type FieldsOf<Message> = {
  readonly [Setter in keyof Message as Setter extends `set${infer Field}`
    ? Uncapitalize<Field>
    : never]?: Message[Setter] extends (value: infer Value) => unknown ? Value : never;
};

/** Sets fields of a message, as in `filled(new CreateResponse(), { id, properties: toStruct(outputs) })`. */
export function filled<Message extends object>(message: Message, fields: FieldsOf<Message>): Message {
  for (const [name, value] of Object.entries(fields)) {
    const set = Reflect.get(message, `set${capitalized(name)}`) as (value: unknown) => unknown;
    set.call(message, value);
  }
  return message;
}
