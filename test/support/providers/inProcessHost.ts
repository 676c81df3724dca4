/**
 * Provider hosts in this process, for the test engine: they do what Pulumi's dynamic-provider host does between the
 * engine and the provider objects. test/protocol/hosts and the tests with separate processes test the real host.
 */

import {
  type DynamicProvider,
  dynamicProvider,
  type ProcessContext,
} from "../../../provider/hosts/dynamic/dynamicProvider";
import { providerText } from "../../../provider/hosts/dynamicNames";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import type { Report } from "../../../provider/report";
import { DESCRIPTIONS } from "../../../provider/resources";
import { fromStruct, processEnded, toStruct } from "../../../testing/engine/protocol/grpc";
import { forProvider, markSecrets, type Properties } from "../../../testing/engine/protocol/values";
import { InitFailure, type Provider } from "../../../testing/engine/providers/provider";
import type {
  ProviderProcess,
  ProviderProcessRequest,
} from "../../../testing/engine/providers/providerProcess";
import type { Surrogate } from "./inProcessSurrogate";

/** Starts a host in this process. It is configured once, and runs until it is killed. */
export function inProcessHost(
  { killed, clock, session, kill }: Surrogate,
  { environment, log }: ProviderProcessRequest,
): ProviderProcess {
  const ended = Promise.withResolvers<null>();
  return {
    exited: ended.promise,
    kill: () => void kill().then(() => ended.resolve(null)),
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    changes: async () => undefined,
    // Pulumi's host does nothing either.
    cancel: async () => {},
    async configure(inputs) {
      const report: Report = (message, { persistent = false, warning = false } = {}) =>
        log({ severity: warning ? "warning" : "info", message, ephemeral: !persistent });
      const process: ProcessContext = {
        environment,
        signal: killed,
        clock,
        memory: newRunMemory(),
        report,
        session: (settings) => session(settings, report),
      };
      const config = forProvider(inputs);
      const byText = new Map<string, DynamicProvider>(
        Object.values(DESCRIPTIONS).map((description) => [
          providerText(description),
          dynamicProvider<never, never>(description as never, process),
        ]),
      );
      for (const provider of byText.values())
        await provider.configure({ config: { get: (key) => config[key] } });
      return hosted(byText, killed);
    },
  };
}

/** The provider that the engine calls: does what Pulumi's host does between gRPC and the provider objects. */
function hosted(byText: ReadonlyMap<string, DynamicProvider>, signal: AbortSignal): Provider {
  const plain = (properties: Properties) => fromStruct(toStruct(forProvider(properties)));
  const providerOf = ({ __provider: text }: Properties): DynamicProvider => {
    const provider = byText.get(String(text));
    if (provider === undefined) throw new Error(`There is no provider with the text ${text}.`);
    return provider;
  };
  /** The response in wire form: only JSON values, and the provider's text. */
  const answered = (properties: object | undefined, { __provider: text }: Properties): Properties =>
    fromStruct(
      toStruct({ ...(JSON.parse(JSON.stringify(properties ?? {})) as Properties), __provider: text ?? null }),
    );
  /** A killed host does not respond. An error with an id means "created, but not ready". */
  const asked = async <Answer>(
    sent: Properties,
    ask: (provider: DynamicProvider) => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      const answer = await ask(providerOf(sent));
      if (signal.aborted) throw processEnded();
      return answer;
    } catch (error) {
      if (signal.aborted) throw processEnded();
      const failure = error as { id?: string; properties?: Properties; reasons?: string[]; message: string };
      if (failure.id === undefined) throw new Error(failure.message);
      throw new InitFailure(
        failure.id,
        markSecrets(answered(failure.properties, sent), sent),
        failure.reasons ?? [],
      );
    }
  };
  return {
    known: true,
    async check({ olds, news }) {
      const sent = plain(news);
      const { inputs, failures = [] } = await asked(sent, (provider) => provider.check(plain(olds), sent));
      return { inputs: markSecrets(answered(inputs, sent), news), failures };
    },
    async diff({ id, oldOutputs, news }) {
      const sent = plain(news);
      const {
        changes,
        replaces = [],
        deleteBeforeReplace = false,
      } = await asked(sent, (provider) => provider.diff(id, plain(oldOutputs), sent));
      return { ...(changes !== undefined && { changes }), replaces, deleteBeforeReplace };
    },
    async create({ inputs, preview = false }) {
      if (preview) return { id: "", outputs: inputs };
      const sent = plain(inputs);
      const { id, outs } = await asked(sent, (provider) => provider.create(sent));
      return { id, outputs: markSecrets(answered(outs, sent), inputs) };
    },
    async update({ id, oldOutputs, news, preview = false }) {
      if (preview) return { outputs: news };
      const sent = plain(news);
      const { outs } = await asked(sent, (provider) => provider.update(id, plain(oldOutputs), sent));
      return { outputs: markSecrets(answered(outs, sent), news) };
    },
    async read({ id, inputs = {}, state = {} }) {
      const sent = plain(Object.keys(state).length === 0 ? inputs : state);
      const found = await asked(sent, (provider) => provider.read(id, sent));
      return {
        id: found.id,
        outputs: answered(found.props, sent),
        ...(found.inputs && { inputs: markSecrets(answered(found.inputs, sent), inputs) }),
      };
    },
    async delete({ id, outputs }) {
      const sent = plain(outputs);
      await asked(sent, (provider) => provider.delete(id, sent));
    },
  };
}
