// Button that reads a list again. The operators' pages do not refresh by themselves, so that an
// unused session ends.
import { operatorTexts } from '../../messages/operator/operator-texts.ts'
import { Button } from '../button.tsx'

type Query = { isFetching: boolean; refetch: () => Promise<unknown> }

export function RefreshButton({ query }: { query: Query }) {
  return (
    <Button busy={query.isFetching} onClick={() => void query.refetch()}>
      {operatorTexts.refresh}
    </Button>
  )
}
