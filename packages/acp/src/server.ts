export * from './transport/incoming-connection.ts';
