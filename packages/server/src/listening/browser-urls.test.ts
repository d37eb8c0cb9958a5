import { expect, it } from 'vitest';
import { toBrowserUrls, type Reach } from './browser-urls.ts';

const REACH: Reach = {
  host: '127.0.0.1',
  port: 7000,
  hasTls: false,
  isBehindProxy: false,
  names: [],
};

it.for([
  [{}, ['http://127.0.0.1:7000/']],
  [{ host: '::1' }, ['http://[::1]:7000/']],
  [{ host: '0.0.0.0', hasTls: true }, ['https://127.0.0.1:7000/']],
  [{ host: '::', hasTls: true }, ['https://127.0.0.1:7000/']],
  [{ names: ['box.example'] }, ['http://box.example:7000/', 'http://127.0.0.1:7000/']],
  [{ names: ['box.example:80'] }, ['http://box.example:80/', 'http://127.0.0.1:7000/']],
  [
    { names: ['box.example', 'b.example:8443'], isBehindProxy: true },
    ['https://box.example/', 'https://b.example:8443/', 'http://127.0.0.1:7000/'],
  ],
] as const)('browsers reach %j at %j', ([reach, urls]) => {
  expect(toBrowserUrls({ ...REACH, ...reach })).toEqual(urls);
});
