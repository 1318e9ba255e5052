/** The part of autocannon that the benches use. */
declare module "autocannon" {
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly method: "POST";
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly expectBody?: string;
  }
  interface Result {
    readonly requests: { readonly total: number; readonly average: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly errors: number;
    readonly non2xx: number;
    readonly mismatches: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
