// SSRF address policy: a fetch of a URL that a client named may only reach public addresses
// (isPublicIp). A name is resolved once, every address is checked, and the checked addresses are
// connected to.
import { Resolver } from 'node:dns/promises'

/**
 * All addresses of a host, from the DNS alone: no hosts file, no search list. With a resolver of
 * its own that can be cancelled, because getaddrinfo blocks one of the process's few threads for as
 * long as the client's name server likes.
 */
export async function resolvePublic(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const asked = [resolver.resolve4(host), resolver.resolve6(host)]
    const answers = await Promise.allSettled(asked)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
