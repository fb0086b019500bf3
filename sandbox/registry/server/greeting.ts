// The greeting (RFC 5730 section 2.4): services and extensions of the server.

import { EXTENSIONS } from '../commands/namespaces.ts'
import { document } from '../commands/reply.ts'
import type { Registry } from '../model/registry.ts'
import { dateTime } from '../model/sandbox-clock.ts'
import { objectServices } from './login.ts'

const DATA_POLICY =
  '<dcp><access><all/></access><statement><purpose><admin/><prov/></purpose>' +
  '<recipient><ours/><public/></recipient><retention><stated/></retention></statement></dcp>'

export function renderGreeting(registry: Registry): string {
  const objects = objectServices(registry.profile).map((uri) => `<objURI>${uri}</objURI>`)
  const extensions = EXTENSIONS.map((uri) => `<extURI>${uri}</extURI>`)
  return document(
    `<greeting><svID>Simulated registry ${registry.profile.name}</svID>` +
      `<svDate>${dateTime(registry.clock.now())}</svDate>` +
      `<svcMenu><version>1.0</version><lang>en</lang>${objects.join('')}` +
      `<svcExtension>${extensions.join('')}</svcExtension></svcMenu>${DATA_POLICY}</greeting>`,
  )
}
