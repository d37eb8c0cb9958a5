import { describeTransportContract } from '../../../../tests/contracts/transport-contract.ts';
import { createMemoryTransports } from './memory-transport.ts';

describeTransportContract('memory', () => {
  const [near, far] = createMemoryTransports();
  return { near, far };
});
