/**
 * Header names that steer Camel's components, in any case: a caller must not set them (CVE-2025-27636), an answer does
 * not carry them.
 */

const steering = /^(?:camel|org\.apache\.camel)/i;

export function isSteeringHeader(name: string): boolean {
  return steering.test(name);
}
