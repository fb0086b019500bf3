// The client of TanStack Query, for one log-in.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { isRetryable } from './retries.ts'
import { isLoggedOut } from './session.ts'

/** `onLoggedOut`: a request found that the session has ended. */
export function openQueries(onLoggedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isLoggedOut(error)) onLoggedOut()
  }
  const isPassing = (error: unknown) => error instanceof ApiError && isRetryable(error.failure)
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: (count, error) => count < 2 && isPassing(error) },
    },
  })
}
