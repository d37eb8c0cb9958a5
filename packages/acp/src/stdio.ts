export { createStdioTransport, type StdioLimits } from './transport/stdio-transport.ts';
