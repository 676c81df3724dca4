/** Resolves parents and providers: a URN, or the name of a resource in the stack or in the same import. */
import { UserError } from "../provider/lifecycle/errors";
import { isProvider } from "./previewFile";
import { nameOf, type StackResource } from "./pulumiStack";

/** Where references are looked up. */
export interface ReferencePlaces {
  /** The stack's resources; undefined without a stack. */
  readonly resources: readonly StackResource[] | undefined;
  /** The names of the entries of the same import. */
  readonly entries: readonly string[];
  /** The URNs that already have a name. */
  readonly nameTable: Readonly<Record<string, string>>;
}

/** The references of one import. */
export interface References {
  /** The URNs by the names that entries use. */
  readonly nameTable: Readonly<Record<string, string>>;
  /**
   * The name by which an entry refers to its parent or provider.
   *
   * @throws UserError when no resource, or more than one, has the name.
   */
  nameFor(role: "parent" | "provider", given: string): string;
}

/** Creates the references of an import. */
export function referencesIn({ resources, entries, nameTable: given }: ReferencePlaces): References {
  const nameTable: Record<string, string> = { ...given };

  /** Adds a URN to the table under its name, or under the URN itself if the name is taken. */
  function addToTable(urn: string): string {
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
      if (wanted.startsWith("urn:pulumi:")) return addToTable(wanted);
      if (resources === undefined) {
        throw new UserError(
          `Without a stack, the ${role} ${wanted} cannot be looked up: give its URN, or select the stack.`,
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
          `The stack has more than one resource ${wanted}. Give the URN of one of them: ${urns}.`,
        );
      }
      return addToTable(first.urn);
    },
  };
}
