// Name of a domain as people write it, followed by its A-label if that differs, since lookalike
// characters have different A-labels.
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
