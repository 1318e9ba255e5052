/** An endpoint as metrics name it: its scheme and its host, without what may be secret or be another with each flow. */

const longestLabel = 200;

/** `https://api.example.com:8443`; where there is no host, what stands in its place: `seda:orders`, `file:inbox`. */
export function endpointLabel(uri: string): string {
  const [, scheme = "", path = ""] = /^([^:?]+):?(?:\/\/)?([^?#]*)/s.exec(uri) ?? [];
  if (scheme === "http" || scheme === "https") {
    const [authority = ""] = path.split("/", 1);
    return `${scheme}://${authority.slice(authority.lastIndexOf("@") + 1).toLowerCase()}`.slice(0, longestLabel);
  }
  const [name = ""] = path.split(/[/:]/, 1);
  return (name === "" ? scheme : `${scheme}:${name}`).slice(0, longestLabel);
}
