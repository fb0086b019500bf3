// The client of TanStack Query, for one log-in.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { isLoggedOut } from './session.ts'

/** `onLoggedOut`: a request found that the session has ended. */
export function openQueries(onLoggedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isLoggedOut(error)) onLoggedOut()
  }
  // A refusal stays one; the network and a restart do not, and an audit entry is sealed soon.
  const isPassing = (error: unknown) =>
    error instanceof ApiError &&
    ([0, 503].includes(error.failure.status) || error.failure.code === 'audit_log_unsealed')
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: (count, error) => count < 2 && isPassing(error) },
    },
  })
}
