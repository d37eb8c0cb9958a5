/** A frame that waits to be posted. */
export interface QueuedPost {
  readonly text: string;
  /** Posts of one lane go one after the other, in their order; undefined for one that waits for none. */
  readonly lane: string | undefined;
  /** Whether it needs none of the places that are limited. */
  readonly isUrgent: boolean;
  /** The id of the request that it is; undefined when it is none. */
  readonly requestId: string | undefined;
  readonly sessionId: string | undefined;
}

interface Lane {
  readonly name: string;
  /** The first one is under way while `isBusy`. */
  readonly posts: QueuedPost[];
  isBusy: boolean;
}

/**
 * Orders the posts of a connection: those of one session keep their order, those of others do not wait for
 * them (R-HTTP-18, B147).
 */
export class PostLanes {
  readonly #placesMax: number;
  readonly #post: (post: QueuedPost) => Promise<void>;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that wait for a place, in their turn. */
  readonly #waiting = new Set<Lane>();
  #placesTaken = 0;
  #count = 0;
  #onIdle: (() => void)[] = [];

  /** @param post posts one message; never rejects. */
  constructor(placesMax: number, post: (post: QueuedPost) => Promise<void>) {
    this.#placesMax = placesMax;
    this.#post = post;
  }

  add(post: QueuedPost): void {
    this.#count++;
    if (post.lane === undefined) {
      void this.#post(post).then(() => this.#onDone());
      return;
    }
    let lane = this.#lanes.get(post.lane);
    if (lane === undefined) {
      lane = { name: post.lane, posts: [], isBusy: false };
      this.#lanes.set(post.lane, lane);
    }
    lane.posts.push(post);
    this.#advance(lane);
  }

  /** The lane of a request that has not arrived yet. */
  laneOf(requestId: string): string | undefined {
    for (const { name, posts } of this.#lanes.values()) {
      if (posts.some((post) => post.requestId === requestId)) return name;
    }
    return undefined;
  }

  /** Resolves when everything has been posted. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #advance(lane: Lane): void {
    const [post] = lane.posts;
    if (lane.isBusy) return;
    if (post === undefined) {
      this.#lanes.delete(lane.name);
      return;
    }
    if (!post.isUrgent && this.#placesTaken >= this.#placesMax) {
      this.#waiting.add(lane);
      return;
    }
    this.#waiting.delete(lane);
    lane.isBusy = true;
    const places = post.isUrgent ? 0 : 1;
    this.#placesTaken += places;
    void this.#post(post).then(() => {
      lane.isBusy = false;
      lane.posts.shift();
      this.#placesTaken -= places;
      this.#advance(lane);
      for (const next of this.#waiting) {
        if (this.#placesTaken >= this.#placesMax) break;
        this.#advance(next);
      }
      this.#onDone();
    });
  }

  #onDone(): void {
    this.#count--;
    if (this.#count > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
