import type { FastifyReply } from 'fastify';
import { CHALLENGE } from '../auth/authenticator.ts';

/** The page on which a browser signs in. It reads the code behind the # of its own address. */
const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Sign in · Signalbox</title>
    <link rel="stylesheet" href="/login.css" />
    <script src="/login.js" defer></script>
  </head>
  <body>
    <main>
      <h1>Signalbox</h1>
      <p>Open the link that <code>signalbox serve</code> prints, or enter its code.</p>
      <form id="sign-in">
        <label for="code">Code</label>
        <input id="code" name="code" autocomplete="off" spellcheck="false" required />
        <button>Sign in</button>
      </form>
      <p id="outcome" role="status"></p>
    </main>
  </body>
</html>
`;

/** Shows how to sign in. With 401: instead of what was asked for. */
export async function sendSignInPage(reply: FastifyReply, status: 200 | 401): Promise<void> {
  if (status === 401) reply.headers(CHALLENGE);
  await reply.code(status).type('text/html; charset=utf-8').send(HTML);
}
