/** The context of the calls in a plugin process: its settings, their session, and the memory of the run. */
import type { Clock } from "../../client";
import { UserError } from "../../errors";
import { ORGANIZATION_PROPERTY } from "../../lifecycle/hiddenProperties";
import { changesIn, type Properties } from "../../lifecycle/properties";
import type { RunContext } from "../../lifecycle/run/runContext";
import { newRunMemory } from "../../lifecycle/run/runMemory";
import { unlessAborted } from "../../lifecycle/unlessAborted";
import type { Report } from "../../report";
import type { Session } from "../../session/session";
import { type RawSettings, resolveSettings, type Settings } from "../../session/settings";
import { isUnknown } from "../values";
import type { CallLimits } from "./calls";
import { settingsFromArguments } from "./configuration";

/** The process of the plugin. Tests replace it. */
export interface PluginProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  session(settings: Settings): Session;
  /** The schema of the package, as JSON. */
  schema(): string;
  /** The mapping from the Terraform provider, as JSON. @throws UserError if it cannot be read. */
  terraformMapping(): string;
  readonly version: string;
  /** Called with the address of the engine when it is known. */
  attach(engineAddress: string): void;
  /** Reports to the user, on the row of a resource. */
  reportTo(urn: string): Report;
  /** Called when the run was cancelled and the last call has been answered. */
  end(): void;
}

export type PluginRun = ReturnType<typeof newPluginRun>;

export function newPluginRun({ environment, clock, ...plugin }: PluginProcess) {
  const memory = newRunMemory();
  let settings: RawSettings | undefined;
  let opened: Session | undefined;

  /** The session of the settings. @throws UserError */
  function open(): Session {
    opened ??= plugin.session(resolveSettings(settings ?? {}, { environment, isUnknown }));
    return opened;
  }

  /** The same, for one call. @throws UserError */
  function session({ waits: stop, requests, noteWrite: onWrite }: CallLimits): Session {
    const shared = open();
    return {
      ...shared,
      // A stopped call sends no further write, and no write again.
      client: shared.client.withOptions({ stop, onWrite }),
      // The lookup of the key is shared with other calls, so a call that is stopped does not stop it.
      identity: (needed) => unlessAborted(() => shared.identity(needed), requests),
      lookUpIdentity: () => unlessAborted(() => shared.lookUpIdentity(), requests),
    };
  }

  return {
    /** Stores the arguments of the provider. @throws UserError if others are stored: a caller could have the key sent to another URL. */
    configure(args: Properties): void {
      const raw = settingsFromArguments(args, environment);
      if (settings !== undefined && changesIn(settings, raw).length > 0)
        throw new UserError(
          "This plugin process is already configured with other settings. Each provider needs a process of its own: restart the plugin, or let Pulumi start it.",
        );
      settings = raw;
      opened = undefined;
      const { [ORGANIZATION_PROPERTY]: owner } = args;
      if (typeof owner === "string") memory.owners.add(owner);
    },

    open,
    session,

    /** The context of a call about a resource. @throws UserError */
    contextFor: (urn: string, limits: CallLimits): RunContext => ({
      session: session(limits),
      signal: limits.requests,
      waits: limits.waits,
      report: plugin.reportTo(urn),
      clock: stoppableClock(clock, limits),
      isUnknown,
      memory,
      urn,
    }),
  };
}

/** A clock for one call. A stopped call does not pause, except to look for the object that its write has created. */
function stoppableClock(clock: Clock, { waits, requests, hasWritten }: CallLimits): Clock {
  return {
    ...clock,
    async sleep(milliseconds, signal) {
      const stop = hasWritten() ? requests : waits;
      await clock.sleep(milliseconds, AbortSignal.any([stop, ...(signal ? [signal] : [])])).catch((error) => {
        // After a write, the next request fails instead, so that the message says what is unknown.
        if (!hasWritten()) waits.throwIfAborted();
        if (!requests.aborted) throw error;
      });
    },
  };
}
