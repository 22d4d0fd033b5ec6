/** The calls about devices, as the user of this browser's session. */

import { createClient } from "@connectrpc/connect";
import { OAuthService } from "../gen/keystead/oauth/v1/oauth_service_pb";
import { byCookie } from "../shared/session";

export const deviceService = createClient(OAuthService, byCookie);
