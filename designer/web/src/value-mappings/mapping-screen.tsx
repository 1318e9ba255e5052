/** The screen of one value mapping: its grid, with lookups, options, tests and users beside it. */
import { mappingScreen } from "../mappings/mapping-place.tsx";
import { ValueMappingPlace } from "./mapping-place.tsx";

export const MappingScreen = mappingScreen("value", ValueMappingPlace);
