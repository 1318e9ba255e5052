/** Both ends of endpoints of servers of files, which are loaded together. */
export { remoteProducer } from "./producer.ts";
export { remoteSource } from "./source.ts";
