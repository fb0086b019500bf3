// Opens a registry by what its profile says it speaks.

import { openEppRegistry } from './epp/epp.ts'
import type { EppParts } from './epp/epp-connection.ts'
import { openOpenproviderRegistry } from './openprovider/openprovider.ts'
import type { Registry, RegistryProfile } from './port.ts'

/** Connects at the first command. */
export function openRegistry(profile: RegistryProfile, parts: EppParts): Registry {
  return profile.adapter === 'epp'
    ? openEppRegistry(profile, parts)
    : openOpenproviderRegistry(profile, parts)
}
