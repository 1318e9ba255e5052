/** Post box in the suite that every connector must pass. */
import { testConnectors } from "../../../../../test/servers/suite/suite.ts";
import { connector } from "./post-box-connector.ts";

testConnectors("Post box", [connector]);
