import { memberText, RawJson, withMembers, type ClientCapabilities } from '@signalbox/acp';
import type { EventOf } from '@signalbox/core';
import { rawItems, rawList } from './raw-items.ts';

/** Lists that an update consists of. Something else in their place would clear a good one. */
const LISTS: Readonly<Record<string, string>> = {
  plan: 'entries',
  available_commands_update: 'availableCommands',
  config_option_update: 'configOptions',
};

/** The kind of an update, from its member `sessionUpdate`; empty where there is none. */
export function kindOf(update: RawJson): string {
  const { sessionUpdate } = (update.value ?? {}) as { sessionUpdate?: unknown };
  return typeof sessionUpdate === 'string' ? sessionUpdate : '';
}

/** Whether an update of the log fits the protocol. What does not is kept in the log, and not sent. */
export function isSound({ data }: EventOf<'update'>): boolean {
  if (data.problem !== undefined) return false;
  const list = LISTS[kindOf(data.update)];
  return list === undefined || memberText(data.update.text, list)?.startsWith('[') === true;
}

/** Lets through what one client has announced that it takes. Unknown kinds pass (B77). */
export class UpdateGate {
  readonly #capabilities: ClientCapabilities;

  constructor(capabilities: ClientCapabilities) {
    this.#capabilities = capabilities;
  }

  /** The update as it may be sent; undefined when it may not be (R-NOT-01, R-CMP-01). */
  admit(update: RawJson): RawJson | undefined {
    switch (kindOf(update)) {
      case 'notice':
        return this.#capabilities.session?.notices == null ? undefined : update;
      case 'compaction_update':
      case 'compaction_summary_chunk':
        return this.#capabilities.session?.compaction == null ? undefined : update;
      case 'config_option_update':
        return this.admitOptions(update);
      default:
        return update;
    }
  }

  /** An object with `configOptions`, without those of a type that the client did not ask for (R-CFG-03). */
  admitOptions(object: RawJson): RawJson {
    const { configOptions } = (object.value ?? {}) as { configOptions?: unknown };
    if (this.#capabilities.session?.configOptions?.boolean != null) return object;
    if (!Array.isArray(configOptions) || !configOptions.some(isBoolean)) return object;
    const text = memberText(object.text, 'configOptions') ?? '[]';
    const left = rawItems(new RawJson(text)).filter(({ value }) => !isBoolean(value));
    return withMembers(object, { configOptions: rawList(left) });
  }
}

function isBoolean(option: unknown): boolean {
  return (option as { type?: unknown } | null)?.type === 'boolean';
}
