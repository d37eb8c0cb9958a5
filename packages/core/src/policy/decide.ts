import type { PermissionOption } from '@signalbox/acp';

/** What happens to a permission request without anybody being asked. */
export type PolicyLevel = 'ask' | 'allow' | 'deny';

/** Every level, for whoever reads one. */
export const POLICY_LEVELS: readonly PolicyLevel[] = ['ask', 'allow', 'deny'];

/** What policy says about a request: select this option, or let a person decide. */
export type Decision =
  | { readonly kind: 'allow' | 'deny'; readonly optionId: string; readonly rule: string }
  /** Denied, but the agent offers no way to say so (B58). */
  | { readonly kind: 'cancel'; readonly rule: string }
  | { readonly kind: 'ask'; readonly rule: string };

/**
 * Decides a permission request by level alone. It never widens the scope: only a single `allow_once`
 * is ever selected automatically. Several options of that kind are a choice that only a person can
 * make (B55), and a permanent grant is never given on a person's behalf (B57, B60). The order of the
 * options never matters. Without options nobody can choose, so nobody is asked (B58).
 */
export function decide(options: readonly PermissionOption[], level: PolicyLevel): Decision {
  const rule = `level:${level}`;
  if (options.length === 0) return { kind: 'cancel', rule };
  switch (level) {
    case 'ask':
      return { kind: 'ask', rule };
    case 'allow': {
      const once = options.filter((option) => option.kind === 'allow_once');
      const [only] = once;
      if (only === undefined || once.length > 1) return { kind: 'ask', rule };
      if (!isIdUnique(options, only)) return { kind: 'ask', rule };
      return { kind: 'allow', optionId: only.optionId, rule };
    }
    case 'deny':
      return denial(options, rule);
  }
}

/**
 * The way to say no: the agent's reject option, once preferred; cancelled only without one (B61). Of
 * several of one kind the first in the order of their ids, so that the agent's order does not matter.
 */
export function denial(options: readonly PermissionOption[], rule: string): Decision {
  const option = firstOf(options, 'reject_once') ?? firstOf(options, 'reject_always');
  if (option === undefined) return { kind: 'cancel', rule };
  return { kind: 'deny', optionId: option.optionId, rule };
}

function firstOf(options: readonly PermissionOption[], kind: string): PermissionOption | undefined {
  const fitting = options.filter((option) => option.kind === kind && isIdUnique(options, option));
  return fitting.sort((a, b) => (a.optionId < b.optionId ? -1 : 1))[0];
}

/** An id that two options share does not say which of them is meant, and one may be the opposite. */
function isIdUnique(options: readonly PermissionOption[], { optionId }: PermissionOption): boolean {
  return options.filter((option) => option.optionId === optionId).length === 1;
}
