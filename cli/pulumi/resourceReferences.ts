/** Resolves parents and providers: a URN, or the name of a resource in the stack or in the same import. */
import { UserError } from "../../provider/errors";
import type { Host } from "../objects/hosts";
import { entryName } from "./entryNames";
import type { StackResource } from "./stack";
import { isProviderType, isUrn, nameInUrn } from "./urn";

export interface ReferencePlaces {
  /** The stack's resources; undefined without a stack. */
  readonly resources: readonly StackResource[] | undefined;
  /** The names of the entries of the same import. Default: none. */
  readonly entries?: readonly string[];
  /** Those of them that are providers. Default: none. */
  readonly providers?: readonly string[];
  /** Those of them that cannot get another name in the import file. Default: all. */
  readonly reserved?: readonly string[];
  /** The URNs that already have a name. Default: none. */
  readonly nameTable?: Readonly<Record<string, string>>;
}

export interface References {
  /** The URNs by the names that entries use. */
  readonly nameTable: Readonly<Record<string, string>>;
  /**
   * The name by which an entry refers to its parent or provider. If several providers have the name, it is the one of
   * the host.
   *
   * @throws UserError when no resource, or more than one, has the name.
   */
  nameFor(role: "parent" | "provider", given: string, host?: Pick<Host, "providerType">): string;
}

export function referencesIn({
  resources,
  entries = [],
  providers = [],
  reserved = entries,
  nameTable: given = {},
}: ReferencePlaces): References {
  const nameTable: Record<string, string> = { ...given };
  const byName = Map.groupBy(resources ?? [], ({ urn }) => nameInUrn(urn));

  /** Adds a URN to the table under its name, or under a similar one if the name is taken. */
  function addToTable(urn: string): string {
    const known = Object.keys(nameTable).find((name) => nameTable[name] === urn);
    if (known !== undefined) return known;
    const name = entryName(nameInUrn(urn), (one) => reserved.includes(one) || Object.hasOwn(nameTable, one));
    nameTable[name] = urn;
    return name;
  }

  return {
    nameTable,
    nameFor(role, wanted, host) {
      // A resource of the import can have the name of a provider.
      const fittingEntries = role === "provider" ? providers : entries;
      if (Object.hasOwn(given, wanted) || fittingEntries.includes(wanted)) return wanted;
      if (isUrn(wanted)) return addToTable(wanted);
      if (resources === undefined) {
        throw new UserError(
          `Without a stack, the ${role} ${wanted} cannot be looked up: give its URN, or select the stack.`,
        );
      }
      const named = (byName.get(wanted) ?? []).filter(
        (one) => isProviderType(one.type) === (role === "provider"),
      );
      const fitting = named.filter(({ type }) => type === host?.providerType);
      const found = fitting.length > 0 ? fitting : named;
      const [first] = found;
      if (first === undefined) {
        throw new UserError(
          `The stack has no ${role} ${wanted}. Deploy it first, or give the URN of another.`,
        );
      }
      if (found.length > 1) {
        const urns = found.map(({ urn }) => urn).join(", ");
        throw new UserError(
          `The stack has more than one resource ${wanted}. Give the URN of one of them: ${urns}.`,
        );
      }
      return addToTable(first.urn);
    },
  };
}
