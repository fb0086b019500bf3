// Summary of the domains: counts, costs and open decisions, which stay short however many domains
// there are.
import { useQuery } from '@tanstack/react-query'
import { getDomainsSummary } from 'sdk'
import { answerOf } from '../api.ts'
import { summaryKey } from './domain-queries.ts'

export function useDomainsSummary() {
  return useQuery({
    queryKey: summaryKey,
    queryFn: () => answerOf(getDomainsSummary()),
  })
}
