declare module 'pgpass' {
  interface Server {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string;
  }
  export default function pgpass(
    server: Server,
    done: (password: string | undefined) => void,
  ): void;
}
