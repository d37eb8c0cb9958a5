import { tmpdir } from 'node:os';
import {
  createMemoryJournal,
  toStoredEvent,
  type Journal,
  type StoredEvent,
} from '@signalbox/core';
import { Host, ServedAgent, type Session } from '@signalbox/host';
import { agentFile } from './agent-file.ts';
import { MemoryDoors } from './memory-doors.ts';
import type { MemoryNetwork } from './memory-network.ts';
import { StoryAgent } from './story-agent.ts';
import type { Step } from './story.ts';

const AGENT = 'scripted';
const ENTRY = { name: AGENT, command: [process.execPath, agentFile(AGENT)] };
const CLIENT_INFO = { name: 'signalbox', version: '1' };

/** A session whose agent tells its story step by step. */
export interface StagedSession {
  readonly session: Session;
  readonly agent: StoryAgent;
  /** The events that are in the log by now, behind `afterSeq`. */
  stored(afterSeq: number): Promise<StoredEvent[]>;
}

/** A host with agents that have no process, and the way to it, all in the memory of one process. */
export class MemoryStage {
  readonly #journal: Journal;
  readonly #host: Host;
  readonly #served: ServedAgent;
  readonly #doors: MemoryDoors;
  readonly #agents: StoryAgent[];

  private constructor(host: Host, agents: StoryAgent[], journal: Journal) {
    this.#host = host;
    this.#agents = agents;
    this.#journal = journal;
    // Only what it announces is asked of the process behind this entry.
    this.#served = new ServedAgent({ entry: ENTRY, clientInfo: CLIENT_INFO });
    this.#doors = new MemoryDoors(host, this.#served, journal.records);
  }

  /** @param story what agents do in each turn. */
  static async open(story: readonly Step[]): Promise<MemoryStage> {
    const journal = createMemoryJournal();
    const agents: StoryAgent[] = [];
    const createLink = (): StoryAgent => {
      const agent = new StoryAgent(story);
      agents.push(agent);
      return agent;
    };
    const host = await Host.open({
      journal,
      createLink,
      clientInfo: CLIENT_INFO,
      findAgent: () => ENTRY,
    });
    return new MemoryStage(host, agents, journal);
  }

  /** A way to the sessions, for one client. */
  openNetwork(): MemoryNetwork {
    return this.#doors.openNetwork();
  }

  async createSession(): Promise<StagedSession> {
    const session = await this.#host.createSession({ agent: AGENT, cwd: tmpdir() });
    const agent = this.#agents.pop();
    if (agent === undefined) throw new Error('the session was made without an agent');
    await session.start();
    const stored = async (afterSeq: number): Promise<StoredEvent[]> =>
      (await this.#journal.read(session.id, afterSeq, Infinity)).map(toStoredEvent);
    return { session, agent, stored };
  }

  async deleteSession({ session }: StagedSession): Promise<void> {
    await this.#host.deleteSession(session.id);
  }

  async close(): Promise<void> {
    await this.#doors.close();
    await this.#host.close();
    await this.#served.close();
  }
}
