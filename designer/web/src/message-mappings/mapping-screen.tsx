/** The screen of one message mapping. */
import { mappingScreen } from "../mappings/mapping-place.tsx";
import { MessageMappingPlace } from "./mapping-place.tsx";

export const MappingScreen = mappingScreen("message", MessageMappingPlace);
