// The page for an address without a page.
import { Link } from 'wouter'
import { buttonClass } from '../components/button.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { routes } from '../lib/routes.ts'
import { common } from '../messages/common-texts.ts'

const texts = common.notFound

export default function NotFoundPage() {
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.text} />
      <Link href={routes.home} className={buttonClass('primary')}>
        {texts.action}
      </Link>
    </>
  )
}
