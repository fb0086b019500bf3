// Name of a domain as people write it, with its A-label beside it where that differs: lookalike
// characters differ there.
import { toUnicode } from '../lib/domains/idn.ts'

export function DomainName({ domain }: { domain: string }) {
  const unicode = toUnicode(domain)
  if (unicode === domain) return <bdi>{domain}</bdi>
  return (
    <>
      <bdi>{unicode}</bdi>{' '}
      <code className="font-mono text-xs font-normal text-muted">({domain})</code>
    </>
  )
}
