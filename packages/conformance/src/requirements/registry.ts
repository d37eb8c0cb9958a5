import { defineArea } from './requirement.ts';

/** Agent registry manifest. */
export const REGISTRY = defineArea('REG', 'Agent registry manifest', [
  {
    id: 'R-REG-01',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'passive',
    sentence: 'Provide `<id>/agent.json` with id, name, version, description and distribution.',
    whyNot: { agent: 'manifest not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-REG-02',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'passive',
    sentence: 'Offer at least one distribution of binary, npx, uvx.',
    whyNot: { agent: 'manifest not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-REG-03',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'passive',
    sentence: 'Cover darwin, linux and windows when using binary.',
    whyNot: { agent: 'manifest not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-REG-04',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'passive',
    sentence: 'Use a 16x16 SVG icon with currentColor only, if an icon is given.',
    whyNot: { agent: 'manifest not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-REG-05',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence:
      'Return at least one entry in authMethods (agent or terminal type) when started as the manifest says.',
    whyNot: { agent: 'manifest not attached: plugs in with the HTTP and WebSocket transports' },
  },
]);
