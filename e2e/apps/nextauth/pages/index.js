/** A program that shows the name of the person. */
import { useSession } from "next-auth/react";

export default function Home() {
  const { data: session } = useSession();
  return <p>{session?.user?.name ?? "Nobody"}</p>;
}
