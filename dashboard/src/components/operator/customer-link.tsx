// The customer whom an object belongs to, as a link to the profile.
import { Link } from 'wouter'
import { customerPath } from '../../lib/operator/operator-routes.ts'

export function CustomerLink({ id, name = id }: { id: string; name?: string }) {
  return (
    <Link href={customerPath(id)} className="text-accent-ink hover:underline">
      {name}
    </Link>
  )
}
