import { destination, pino, type DestinationStream, type Logger } from 'pino';

/** Members that are never written, wherever they stand. */
const SECRET_MEMBERS = ['authorization', 'cookie', 'set-cookie', 'secret'];
const STDERR = 2;

/**
 * A log that writes one JSON object a line.
 *
 * @param to where; default stderr, so that stdout stays for people.
 */
export function createLog(level = 'info', to: DestinationStream = destination(STDERR)): Logger {
  const paths = SECRET_MEMBERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);
  return pino({ level, redact: { paths, censor: '[redacted]' } }, to);
}
