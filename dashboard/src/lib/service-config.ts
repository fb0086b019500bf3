// Facts about this service that never change while the page is open: environment and currencies.
import { useQuery } from '@tanstack/react-query'
import { getDashboardConfig } from 'sdk'
import { answerOf } from './api.ts'

function useServiceConfig() {
  return useQuery({
    queryKey: ['service-config'],
    queryFn: () => answerOf(getDashboardConfig()),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useIsSandbox(): boolean {
  return useServiceConfig().data?.environment === 'sandbox'
}
