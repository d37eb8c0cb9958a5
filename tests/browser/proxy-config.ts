import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { blocksOf } from '../docs/documents.ts';
import { program } from './programs.ts';

/** The name under which the documents serve Signalbox. */
export const PROXY_NAME = 'signalbox.example';

/** The configuration of nginx in the documents, word for word. */
const [DOCUMENTED = ''] = blocksOf('nginx')
  .filter(({ name }) => name.startsWith('docs/guides/reverse-proxy.md'))
  .map(({ text }) => text);

/** The documented nginx, at another port, for a server at another port, with a certificate of its own. */
export function documentedConfig(port: number, serverPort: number, folder: string): string {
  const { key, cert } = createCertificate(folder);
  return replaceEach(DOCUMENTED, [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['http://127.0.0.1:7600;', `http://127.0.0.1:${serverPort};`],
    ['/etc/ssl/signalbox.example.crt', cert],
    ['/etc/ssl/signalbox.example.key', key],
  ]);
}

/** An nginx of which nothing is set but where its requests go. @param more further directives. */
export function bareConfig(port: number, serverPort: number, more = ''): string {
  return `server {
listen 127.0.0.1:${port};
${more}
location / { proxy_pass http://127.0.0.1:${serverPort}; }
}`;
}

/** The same with the lines for WebSocket that every guide has. */
export function upgradingConfig(port: number, serverPort: number): string {
  const more = `proxy_http_version 1.1;
proxy_set_header Upgrade $http_upgrade;
proxy_set_header Connection "upgrade";`;
  return bareConfig(port, serverPort, more);
}

function replaceEach(
  text: string,
  changes: readonly (readonly [from: string, to: string])[],
): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the documented configuration has no "${from}"`);
    return changed.replaceAll(from, to);
  }, text);
}

function createCertificate(folder: string): { readonly key: string; readonly cert: string } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', `/CN=${PROXY_NAME}`, '-addext', `subjectAltName=DNS:${PROXY_NAME}`];
  const files = ['-days', '2', '-keyout', key, '-out', cert];
  execFileSync(program('openssl'), ['req', '-x509', ...curve, ...names, ...files], {
    stdio: 'pipe',
  });
  return { key, cert };
}
