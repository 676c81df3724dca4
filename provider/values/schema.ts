/** Looks into zod schemas: what a field is, without `optional` and `nullable`, and what it contains. */
import { z } from "zod";
import { isRecord, type Path } from "./walk";

/** The fields of an object, by name in camelCase. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** A schema without `optional` and `nullable`, and whether it had them. */
export function unwrapped(schema: z.ZodType) {
  let inner = schema;
  let [optional, nullable] = [false, false];
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    if (inner instanceof z.ZodOptional) optional = true;
    else nullable = true;
    inner = inner.unwrap() as z.ZodType;
  }
  return { inner, optional, nullable };
}

/** The fields of an object, or of all variants of a union; undefined for other schemas. */
export function fieldsOf(schema: z.ZodType): Fields | undefined {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodUnion)
    return Object.assign({}, ...inner.options.map((each) => fieldsOf(each as z.ZodType)));
  return inner instanceof z.ZodObject ? (inner.shape as Fields) : undefined;
}

/** The schema of the items of a list; undefined for other schemas. */
export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const { inner } = unwrapped(schema);
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined;
}

/** The values of a choice; undefined for other schemas. */
export function choicesOf(schema: z.ZodType): readonly unknown[] | undefined {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodLiteral) return [...inner.values];
  return inner instanceof z.ZodEnum ? inner.options : undefined;
}

/** How a walk along a schema converts the names of fields, and the values that have none. */
export interface Conversion {
  /** The name of a field in the value. */
  from(name: string): string;
  /** The name that it gets. */
  to(name: string): string;
  convert(schema: z.ZodType, value: unknown, path: Path): unknown;
  /** Whether missing fields are converted unless they are optional, and undeclared ones dropped. Default: the fields stay as they are. */
  readonly isComplete?: boolean;
  /** Whether the other items of a list are dropped. Default: none are. */
  isEnough?(): boolean;
}

/** Converts a value along its schema, at any depth. What is not in the schema is unchanged. */
export function converted(
  schema: z.ZodType,
  value: unknown,
  conversion: Conversion,
  path: Path = [],
): unknown {
  const { from, to, convert, isComplete = false, isEnough = () => false } = conversion;
  const { inner, optional, nullable } = unwrapped(schema);
  if (isComplete && value === null && nullable) return null;
  if (isComplete && value == null && optional) return undefined;
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      items.push(converted(inner.element as z.ZodType, item, conversion, [...path, index]));
      if (isEnough()) break;
    }
    return items;
  }
  const fields = fieldsOf(inner);
  if (fields === undefined || !isRecord(value)) return convert(inner, value, path);
  const declared = new Map(Object.entries(fields).map(([name, field]) => [from(name), { name, field }]));
  const others = Object.keys(value).filter((step) => !declared.has(step));
  const isOpen = inner instanceof z.ZodObject && inner.def.catchall instanceof z.ZodUnknown;
  const steps = isComplete ? [...(isOpen ? others : []), ...declared.keys()] : Object.keys(value);
  const entries = steps.map((step) => {
    const own = Object.hasOwn(value, step) ? value[step] : undefined;
    const member = declared.get(step);
    if (member === undefined) return [step, own];
    return [to(member.name), converted(member.field, own, conversion, [...path, step])];
  });
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

/** The schema at a path of names and indices; undefined if the path leads nowhere. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((at, step) => {
    const fields = at && fieldsOf(at);
    return fields && Object.hasOwn(fields, step) ? fields[String(step)] : at && itemOf(at);
  }, schema);
}
