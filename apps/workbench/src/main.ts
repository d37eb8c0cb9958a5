import { createClient } from '@signalbox/client';
import { VERSION } from './version.ts';
import { Workbench } from './workbench.ts';

const client = createClient({
  url: new URL('.', document.baseURI).href,
  clientInfo: { name: 'signalbox-workbench', version: VERSION },
});
// A browser that has frozen the page tells this of its return, whether the page was hidden or not (B178).
document.addEventListener('resume', () => client.wake());

const workbench = new Workbench(client);
document.body.replaceChildren(workbench.node);
workbench.start();
