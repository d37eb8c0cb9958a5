import type { Failure } from './failure.ts';

/** Consecutive events of one append that share a table row. */
export interface CommitRow {
  readonly entryCount: number;
  /** The events' JSON texts with a line feed between each two. */
  readonly body: string;
  /** Whether to store the body in pieces, which it may share with others of its stream. */
  readonly isCut: boolean;
}

/** One write, as it is sent to the writer's thread. */
export type Operation =
  | {
      readonly kind: 'append';
      readonly stream: string;
      readonly generation: number;
      readonly expectedSeq: number;
      readonly rows: readonly CommitRow[];
    }
  | {
      readonly kind: 'put_snapshot';
      readonly stream: string;
      readonly seq: number;
      readonly format: string;
      readonly state: string;
    }
  | { readonly kind: 'delete_stream'; readonly stream: string }
  | { readonly kind: 'create_record'; readonly key: string; readonly value: string }
  | {
      readonly kind: 'put_record';
      readonly key: string;
      readonly value: string;
      readonly revision: number;
    }
  | {
      readonly kind: 'delete_record';
      readonly key: string;
      readonly revision: number | undefined;
    };

/** What became of one operation: an append's new head, a record's new revision, else 0. */
export type Outcome =
  { readonly ok: true; readonly value: number } | { readonly ok: false; readonly failure: Failure };

/** What the writer's thread is told: a group to commit in one transaction, or to end. */
export type WriterRequest = readonly Operation[] | 'close';

/** What the writer's thread is started with. */
export interface WriterSettings {
  readonly file: string;
  readonly durability: 'power' | 'process';
  readonly sizeBytesMax: number | undefined;
}
