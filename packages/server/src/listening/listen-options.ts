/** A key and its certificate, as PEM texts. */
export interface TlsKeys {
  readonly key: string;
  readonly cert: string;
}

/** Where a server listens. */
export interface ListenOptions {
  /** A name or an address. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Absent: without TLS. */
  readonly tls?: TlsKeys;
}
