import { DEFAULT_ENDING_LIMITS } from '@signalbox/host';
import { check } from '../outcome.ts';
import { processesWithHome, remainingWithHome } from '../processes.ts';
import { withSession, type Scenario } from './scenario.ts';

/** Whoever takes longer has not ended with its input. */
const GRACE_MS = DEFAULT_ENDING_LIMITS.eofGraceMs;

/** Nothing of the agent is left when its session is closed. */
export const end: Scenario = async (world) => {
  const { home } = world.place;
  const note = await withSession(world, 'reject', async (driver) => {
    await driver.prompt('[[say:Good night.]]');
    const running = processesWithHome(home);
    check(running.length > 0, 'no process of the agent was found while it ran');
    const started = performance.now();
    await driver.session.close();
    const ms = performance.now() - started;
    const [exited] = await driver.eventsOf('agent.exited');
    const { code, signal } = exited?.data ?? { code: null, signal: null };
    const how = signal === null ? `exit code ${code ?? 'none'}` : signal;
    return `ended with ${how}${ms > GRACE_MS ? ' after the grace' : ''}`;
  });
  const left = await remainingWithHome(home);
  const names = left.map(({ command }) => command.slice(0, 80)).join('; ');
  check(left.length === 0, `${left.length} left: ${names}`);
  return note;
};
