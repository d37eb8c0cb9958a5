import type { PermissionEntry, Transcript } from '@signalbox/core';

/** The permission requests in a view that wait for an answer; looked for once for each of its versions. */
export class WaitingPermissions {
  #view: Transcript | undefined;
  #version = -1;
  #waiting: readonly PermissionEntry[] = [];

  /** The oldest first. */
  of(view: Transcript): readonly PermissionEntry[] {
    if (this.#view !== view || this.#version !== view.lastSeq) {
      this.#view = view;
      this.#version = view.lastSeq;
      this.#waiting = view.entries.filter(isWaiting);
    }
    return this.#waiting;
  }
}

function isWaiting(entry: Transcript['entries'][number]): entry is PermissionEntry {
  return entry.kind === 'permission' && entry.outcome === undefined;
}
