import type { Clock } from '@signalbox/acp';
import type { HostFact, SessionId, SessionState, StoredEntry, Transcript } from '@signalbox/core';
import type { AgentEntry } from '../agents/agent-entry.ts';
import { SESSION_MARK, toAgentEnvironment } from '../agents/environment.ts';
import { hasQuirk } from '../agents/quirks.ts';
import { createProcessLink } from '../agents/start-agent.ts';
import { createUnknownLink } from '../agents/unknown-agent.ts';
import { Elicitations } from '../client-services/elicitations.ts';
import { LocalServices } from '../client-services/local-services.ts';
import { SessionServices } from '../client-services/session-services.ts';
import { Session } from '../session/session.ts';
import type { HostOptions, HostSettings } from './host-options.ts';
import type { OpenedLog } from './open-log.ts';
import type { SessionSetup } from './session-setup.ts';

/** Everything that a session is made of. */
export interface SessionPlan {
  readonly options: HostOptions;
  readonly settings: HostSettings;
  readonly clock: Clock;
  /** Undefined: the session's agent is not known here, so that it can only be read. */
  readonly entry: AgentEntry | undefined;
  readonly sessionId: SessionId;
  readonly setup: SessionSetup;
  readonly log: OpenedLog;
  readonly signInMethod: () => string | undefined;
  readonly readTranscript: () => Promise<Transcript>;
  readonly onCommitted: (entries: readonly StoredEntry[]) => void;
  readonly onChanged: (state: SessionState) => void;
  readonly onLeft: () => void;
  readonly onAtRest: () => void;
}

/** Puts a session together: its log, its agent, and what the host does for the agent. */
export function createSession(plan: SessionPlan): Session {
  const { options, settings, clock, entry, sessionId, setup, log, onChanged } = plan;
  const { agentName, cwd } = log.state;
  const environment = toAgentEnvironment(options.environment ?? process.env, entry?.passEnv ?? [], {
    ...entry?.env,
    [SESSION_MARK]: sessionId,
  });
  const record = (fact: HostFact): void => session.record(fact);
  const local = new LocalServices({
    sessionId,
    cwd,
    additionalDirectories: setup.additionalDirectories ?? [],
    environment,
    missingFileReadsEmpty: entry !== undefined && hasQuirk(entry, 'missing-file-reads-empty'),
    policyLevel: () => session.settings.policyLevel,
    turnId: () => (session.state.turn.kind === 'running' ? session.state.turn.turnId : undefined),
    record,
  });
  const elicitations = new Elicitations({ clock, timeoutMs: settings.elicitationTimeoutMs });
  const services = new SessionServices({ sessionId, local, elicitations, record });
  const { createLink = createProcessLink, clientInfo } = options;
  const link =
    entry === undefined
      ? createUnknownLink(agentName)
      : createLink({
          entry,
          sessionId,
          cwd,
          setup,
          environment,
          services,
          clientInfo,
          signInMethod: plan.signInMethod,
          ending: settings,
        });
  const session: Session = new Session({
    ...log,
    sessionId,
    journal: options.journal,
    settings,
    services,
    link,
    clock,
    turnIdleMs: settings.turnIdleMs,
    hibernateAfterMs: settings.hibernateAfterMs,
    endUnusedAfterMs: settings.endUnusedAfterMs,
    readTranscript: plan.readTranscript,
    onCommitted: plan.onCommitted,
    onChanged,
    onLeft: plan.onLeft,
    onAtRest: plan.onAtRest,
  });
  return session;
}
