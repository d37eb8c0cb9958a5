/** The agent did not answer in time. */
export class SilentError extends Error {
  override readonly name = 'SilentError';
}

/** The agent, or the connection to it, ended while an answer was awaited. */
export class EndedError extends Error {
  override readonly name = 'EndedError';
}

/** An endpoint refused a message by an HTTP status, so that no answer to it can come. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The program under test could not be started, so that nothing can be said of it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
