/** Where a server listens. */
export interface ListenOptions {
  /** A name or an address. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Key and certificate as PEM texts. Absent: without TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}
