/** Compares the attributes of an object in a Terraform state with the object in the service. */
import { sanitized } from "../../../../provider/client/sanitized";
import {
  changedPaths,
  differences,
  type Properties,
  withoutNulls,
} from "../../../../provider/lifecycle/properties";
import { canonicalValues } from "../../../../provider/values/canonical";
import { type ShapeFields, wireName } from "../../../../provider/shapes/shape";
import { enumerated } from "../../../../provider/values/phrases";
import { isRecord, valueAt } from "../../../../provider/values/walk";
import { KINDS } from "../../../objects/kinds";
import type { ImportedObject } from "../../../pulumi/importFile";
import { type ImportRequest, inPlace } from "../request";

/** Reports an object that differs from its attributes in the state. */
export function driftReport(object: ImportedObject & Pick<ImportRequest, "origin">): string[] {
  const { origin } = object;
  if (origin?.attributes === undefined) return [];
  const paths = driftOf(object, origin.attributes);
  if (paths.length === 0) return [];
  return [
    inPlace(
      sanitized(origin.address),
      `the service and the Terraform state have different values of ${enumerated(paths)}. The values of the service are imported.`,
    ),
  ];
}

/**
 * The properties that differ, such as `appleInfo.bundleId`. What the service fills in by itself is compared only if the
 * state has it.
 */
export function driftOf(
  { kind, reading: { inputs, state } }: Pick<ImportedObject, "kind" | "reading">,
  attributes: Properties,
): string[] {
  const { description } = KINDS[kind];
  const [before, outputs] = [description.inputs, description.outputs].map((fields) =>
    withoutNulls(canonicalValues(fields, propertiesIn(attributes, fields))),
  ) as [Properties, Properties];
  const isFilledIn = (path: string) =>
    description.computed?.includes(path) && valueAt(before, path.split(".")) === undefined;
  return [
    ...changedPaths(before, inputs).filter((path) => !isFilledIn(path)),
    ...differences(outputs, state, () => false).map(({ path }) => path),
  ];
}

/** The values of these fields in attributes, whose names are those of the service. */
function propertiesIn(attributes: Properties, fields: ShapeFields): Properties {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = attributes[wireName(name)];
      return [name, isRecord(value) && field.fields ? propertiesIn(value, field.fields) : value];
    }),
  );
}
