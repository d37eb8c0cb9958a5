import type { SessionEventType, StoredEvent } from '@signalbox/core';
import type { DoorKind, PromptEnd, RemoteSessionEvent } from '../../packages/client/src/index.ts';
import { AcpReader } from './acp-reader.ts';
import { Approvals } from './approvals.ts';
import { checkPermissions, checkPrompts } from './check-log.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { Follower } from './follower.ts';
import { connectByHttp, connectByWebSocket } from './acp-ways-in.ts';
import { randomCut, randomKind } from './random-cut.ts';
import type { Random } from './random.ts';
import { SlowReader } from './slow-reader.ts';
import { OPTIONS, randomStory, toPrompt } from './story.ts';
import type { World } from './world.ts';

const DOORS: [DoorKind, ...DoorKind[]] = ['websocket', 'http', 'poll'];

const AGENT_EVENTS: ReadonlySet<SessionEventType> = new Set(['agent.started', 'agent.exited']);

/** One session with all kinds of clients, whose connections break at random. */
export class Station {
  readonly #world: World;
  readonly #sessionId: string;
  readonly #driver: Follower;
  readonly #approver: Follower;
  readonly #observer: Follower;
  readonly #editor: AcpReader;
  readonly #editorProxy: CuttingProxy;
  readonly #reader: SlowReader;
  readonly #approvals: readonly Approvals[];
  readonly #ends = new Map<string, PromptEnd>();
  /** What has been done to it so far, for who has to find out what went wrong. */
  readonly diary: string[] = [];
  /** Times that its agent was killed. */
  killedAgents = 0;
  #answerers: readonly string[] = [];
  /** The end of the log, when it was looked at last. */
  #head = 0;

  private constructor(parts: {
    world: World;
    sessionId: string;
    followers: readonly [Follower, Follower, Follower];
    editor: AcpReader;
    editorProxy: CuttingProxy;
    random: Random;
  }) {
    const { world, sessionId, followers, editor, editorProxy, random } = parts;
    this.#world = world;
    this.#sessionId = sessionId;
    [this.#driver, this.#approver, this.#observer] = followers;
    this.#editor = editor;
    this.#editorProxy = editorProxy;
    this.#reader = new SlowReader(this.#driver.session);
    this.#approvals = [this.#driver, this.#approver].map(
      (follower) =>
        new Approvals(follower, () =>
          this.#answerers.includes(follower.name) ? random.pick(OPTIONS).optionId : undefined,
        ),
    );
  }

  static async open(world: World, random: Random): Promise<Station> {
    const sessionId = await world.createSession();
    const open = (name: string, more: object): Promise<Follower> =>
      Follower.open(world.port, sessionId, { name, door: random.pick(DOORS), attach: {}, ...more });
    const followers = await Promise.all([
      open('driver', { attach: { after: 'start' }, limits: { events: { countMax: 16 } } }),
      open('approver', {
        attach: { role: 'approver', ...(random.chance(0.5) ? { after: 'start' } : {}) },
      }),
      open('observer', { attach: { role: 'observer', merge: random.chance(0.3), after: 'start' } }),
    ]);
    const editorProxy = await CuttingProxy.open(world.port);
    const connect = random.chance(0.5) ? connectByWebSocket : connectByHttp;
    const editor = new AcpReader({
      connect: () => connect(editorProxy.url),
      sessionId,
      prompt: () => Promise.reject(new Error('it only looks on')),
      askedMax: Infinity,
      answers: false,
    });
    const station = new Station({ world, sessionId, followers, editor, editorProxy, random });
    station.#observer.proxy.cutter.delay = { down: random.below(4) };
    return station;
  }

  /**
   * One turn, or two, with whatever goes wrong meanwhile.
   *
   * @param killsAgent whether that is that its agent dies.
   */
  async round(random: Random, killsAgent: boolean): Promise<void> {
    for (const { proxy, name } of [
      ...this.#followers,
      { proxy: this.#editorProxy, name: 'editor' },
    ]) {
      if (!random.chance(0.4)) continue;
      const cut = randomCut(random);
      this.#note(`${name}: ${cut.kind} behind ${cut.after} ${cut.direction}`);
      proxy.cutter.arm(cut);
    }
    this.#answerers = random.pick([['driver'], ['approver'], ['driver', 'approver']]);
    const disruption = this.#disruptLater(random, killsAgent);
    const handles = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => {
      const asks = random.chance(0.4) ? 1 : 0;
      const story = randomStory(random, random.between(1, 30), asks);
      return this.#driver.session.prompt(toPrompt(story));
    });
    for (const { promptId, done } of handles) this.#ends.set(promptId, await done);
    this.#note(
      `ended: ${handles.map(({ promptId }) => JSON.stringify(this.#ends.get(promptId))).join()}`,
    );
    await disruption();
    await this.#allAtHead();
  }

  /** Everybody knows everything that the log says, and nothing else. */
  async finish(): Promise<void> {
    const log = await this.#wholeLog();
    this.#editor.checkTold(log);
    for (const follower of this.#followers) follower.check(log);
    this.#reader.check(log);
    checkPrompts(log, this.#ends);
    checkPermissions(log);
    for (const approvals of this.#approvals) approvals.assertNoFailure();
  }

  async close(): Promise<void> {
    for (const approvals of this.#approvals) approvals.stop();
    await this.#reader.close();
    await Promise.all(this.#followers.map((each) => each.close()));
    await this.#editor.close();
    await this.#editorProxy.close();
    await this.#world.deleteSession(this.#sessionId);
  }

  /** Connections that were broken so far, not counting those that a restart of the server broke. */
  get cutCount(): number {
    const proxies = this.#followers.map(({ proxy }) => proxy);
    return [...proxies, this.#editorProxy].reduce((sum, { cutter }) => sum + cutter.cutCount, 0);
  }

  /** What everybody has logged, the newest last. */
  get logs(): string[] {
    const places = `the reader at ${this.#reader.seq}, all are to be at ${this.#head}`;
    return [places, `the editor: ${this.#editor.state}`, ...this.#logs];
  }

  get #logs(): string[] {
    return this.#followers.flatMap(({ name, log, lastSeq }) => [
      `--- ${name} at ${lastSeq}`,
      ...log.slice(-15),
    ]);
  }

  get #followers(): readonly [Follower, Follower, Follower] {
    return [this.#driver, this.#approver, this.#observer];
  }

  /** The log, of which everybody has all. A server that comes back may add something at any time. */
  async #wholeLog(): Promise<StoredEvent[]> {
    for (;;) {
      await this.#allAtHead();
      const log = await this.#world.log(this.#sessionId);
      const expected = this.#editor.expected(log);
      while (this.#editor.told.length < expected.length) await this.#editor.whenTold();
      const places = [...this.#followers.map(({ lastSeq }) => lastSeq), this.#reader.seq];
      if (places.every((seq) => seq === log.length)) return log;
    }
  }

  async #allAtHead(): Promise<void> {
    for (;;) {
      const head = await this.#world.headSeq(this.#sessionId);
      if (head === this.#head) return;
      this.#head = head;
      await Promise.all([
        ...this.#followers.map((each) => each.until(head)),
        this.#reader.until(head),
      ]);
    }
  }

  /** Chooses what is to happen in the midst of the turn. @returns resolves when that is over. */
  #disruptLater(random: Random, killsAgent: boolean): () => Promise<void> {
    const act = killsAgent ? this.#killingAgent : this.#chooseDisruption(random);
    // Short turns have few events.
    let left = killsAgent ? 0 : random.below(25);
    let acting = Promise.resolve();
    const stop = this.#driver.onNews(({ type }: RemoteSessionEvent) => {
      if (type !== 'event' || left-- !== 0) return;
      acting = act();
    });
    return async () => {
      stop();
      await acting;
    };
  }

  #chooseDisruption(random: Random): () => Promise<void> {
    const dice = random.next();
    if (dice < 0.06) return this.#killingAgent;
    if (dice < 0.2) {
      const [who, door] = [random.pick([this.#approver, this.#observer]), random.pick(DOORS)];
      return () => this.#do(`reopens ${who.name} by ${door}`, () => who.reopen(door));
    }
    if (dice < 0.5) {
      const [who, kind] = [random.pick([this.#driver, this.#approver]), randomKind(random)];
      return () =>
        this.#do(`${kind} of ${who.name}`, () => Promise.resolve(who.proxy.cutter.cut(kind)));
    }
    return () => Promise.resolve();
  }

  #do(what: string, act: () => Promise<void>): Promise<void> {
    this.#note(what);
    return act();
  }

  readonly #killingAgent = (): Promise<void> =>
    this.#do('kills the agent', () => this.#killAgent());

  async #killAgent(): Promise<void> {
    const log = await this.#world.log(this.#sessionId);
    const last = log.findLast(({ event: { type } }) => AGENT_EVENTS.has(type))?.event;
    if (last?.type !== 'agent.started') return;
    try {
      process.kill(last.data.pid, 'SIGKILL');
      this.killedAgents++;
    } catch {
      // It has ended just now.
    }
  }

  #note(what: string): void {
    this.diary.push(`${Math.round(performance.now())} ${what}`);
  }
}
