/** POSTs that are remembered; a repetition comes soon or not at all. */
const KEPT = 1024;

/** Knows the messages of a connection by the keys that the client gave them, so that none is done twice (B154). */
export class RecentPosts {
  readonly #posts = new Map<string, Promise<void>>();

  /**
   * Does what a POST asks for, unless a POST with the same key has done it or is about to.
   *
   * @throws what `post` throws; then a repetition is tried anew.
   */
  async once(key: string | undefined, post: () => Promise<void>): Promise<void> {
    if (key === undefined) return post();
    const before = this.#posts.get(key);
    if (before !== undefined) return before;
    const posted = post();
    this.#posts.set(key, posted);
    this.#forgetOldest();
    try {
      await posted;
    } catch (error) {
      this.#posts.delete(key);
      throw error;
    }
  }

  #forgetOldest(): void {
    if (this.#posts.size <= KEPT) return;
    for (const [oldest] of this.#posts) {
      this.#posts.delete(oldest);
      return;
    }
  }
}
