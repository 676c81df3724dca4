/** Parents and providers as users name them: by URN, or by the name of a resource of the stack or of the same import. */
import { UserError } from "../provider/lifecycle/errors";
import { isProvider } from "./previewFile";
import { nameOf, type StackResource } from "./pulumiStack";

/** What references are looked up in. */
export interface ReferencePlaces {
  /** The stack's resources; absent when no stack can be asked. */
  readonly resources: readonly StackResource[] | undefined;
  /** The names of the entries of the same import. */
  readonly entries: readonly string[];
  /** URNs by names that are given already. */
  readonly nameTable: Readonly<Record<string, string>>;
}

/** The references of one import. */
export interface References {
  /** URNs by the names that entries use for them. */
  readonly nameTable: Readonly<Record<string, string>>;
  /**
   * The name by which an entry refers to its parent or provider.
   *
   * @throws UserError when nothing, or more than one thing, is called so.
   */
  nameFor(role: "parent" | "provider", given: string): string;
}

/** Begins an import without references. */
export function referencesIn({ resources, entries, nameTable: given }: ReferencePlaces): References {
  const nameTable: Record<string, string> = { ...given };

  /** A name in the table; one that is taken gives way to the URN itself. */
  function tabled(urn: string): string {
    const name = nameOf(urn);
    const isFree =
      name !== "" && !entries.includes(name) && (!Object.hasOwn(nameTable, name) || nameTable[name] === urn);
    const key = isFree ? name : urn;
    nameTable[key] = urn;
    return key;
  }

  return {
    nameTable,
    nameFor(role, wanted) {
      if (Object.hasOwn(nameTable, wanted) || entries.includes(wanted)) return wanted;
      if (wanted.startsWith("urn:pulumi:")) return tabled(wanted);
      if (resources === undefined) {
        throw new UserError(
          `Only a stack can tell which ${role} ${wanted} is: give its URN, or select the stack.`,
        );
      }
      const found = resources.filter(
        (one) => nameOf(one.urn) === wanted && isProvider(one) === (role === "provider"),
      );
      const [first] = found;
      if (first === undefined) {
        throw new UserError(
          `The stack has no ${role} ${wanted}. Deploy it first, or give the URN of another.`,
        );
      }
      if (found.length > 1) {
        const urns = found.map(({ urn }) => urn).join(", ");
        throw new UserError(
          `The stack has more than one resource ${wanted}. Give the URN of the one that is meant: ${urns}.`,
        );
      }
      return tabled(first.urn);
    },
  };
}
